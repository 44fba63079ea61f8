"""A player with the manners of others: it answers as a given family of players does, byte by byte.

What it answers is thought of by `stratagem serve`, to which every message is passed on; how it answers is its own:
the spelling of moves, the ends of header lines, lengths, what follows the answer, the pieces in which it is sent.

    with OddPlayer("ggp-base-2011", port_of_a_server) as player:
        … player.url
"""

import socket
import threading
import urllib.error
import urllib.request

CORS = (
    "Access-Control-Allow-Origin: *\n"
    "Access-Control-Allow-Methods: POST, GET, OPTIONS\n"
    "Access-Control-Allow-Headers: Content-Type\n"
    "Access-Control-Allow-Age: 86400\n"
)


def spaced(text):
    """( MARK 1 1 ) for (mark 1 1)."""
    return text.replace("(", "( ").replace(")", " )")


def head(text, status="HTTP/1.0 200 OK", length=None, fields=""):
    length = len(text.encode()) if length is None else length
    return f"{status}\nContent-type: text/acl\nContent-length: {length}\n{fields}\n"


def crlf(text):
    return text.replace("\n", "\r\n")


# Each from the text of an answer to what goes over the wire.
STYLES = {
    "ggp-base-2011": lambda t: head(spaced(t), fields=CORS) + spaced(t) + "\n",
    "ggp-base-2012": lambda t: head(spaced(t), fields=CORS) + spaced(t),
    "ggp-base-2013": lambda t: crlf(head(spaced(t), fields=CORS)) + spaced(t),
    "cadiaplayer": lambda t: f"HTTP/1.0 200 OK\n{CORS}Content-type: text/acl\nContent-length: {len(t)}\r\n\r\n{t.upper()}",
    "jocular": lambda t: head(t + ' (explanation "why :(")') + t + ' (explanation "why :(")',
    "nanohttpd": lambda t: "HTTP/1.0 200 OK \r\nContent-Type: text/acl\r\n\r\n" + t.upper(),
    "soar": lambda t: head(t) + t + "\n\n",
    "chunked": lambda t: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    + "".join(f"1\r\n{letter}\r\n" for letter in t)
    + "0\r\n\r\n",
    "lower-case-fields": lambda t: crlf(head(t, "HTTP/1.1 200 ok").lower()).replace("http", "HTTP") + t,
    "no-head": lambda t: t,
    "no-length": lambda t: "HTTP/1.1 200 OK\nConnection: close\n\n" + t + "\r\n",
    "length-too-long": lambda t: head(t, length=len(t) + 50) + t,
    "length-too-short": lambda t: head(t, length=1 if t.startswith("(") else len(t)) + spaced(t),
    "nul": lambda t: head(t + "\n\0") + t + "\n\0",
    "blanks": lambda t: head("\t\n  " + spaced(t).replace(" ", " \n\t ") + "\r\n\r\n")
    + ("\t\n  " + spaced(t).replace(" ", " \n\t ") + "\r\n\r\n"),
    "in-parentheses": lambda t: head(t if t.startswith("(") else f"( {t.upper()} )")
    + (t if t.startswith("(") else f"( {t.upper()} )"),
    "commented": lambda t: head(f"; (\n{t} ; )\n") + f"; (\n{t} ; )\n",
    "quoted": lambda t: head(f'"{t}"') + f'"{t}"',
    "byte-by-byte": lambda t: head(spaced(t), fields=CORS) + spaced(t) + "\n",
}


class OddPlayer:
    def __init__(self, style, server_port):
        self.style = style
        self.server = f"http://127.0.0.1:{server_port}/"
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.answers = []
        self.thread = threading.Thread(target=self._listen, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.thread.join()
        self.listener.close()

    def _listen(self):
        """One connection after the other, like the players it is modelled on."""
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with connection:
                self._serve(connection)

    def _serve(self, connection):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            with connection.makefile("rb") as lines:
                length = 0
                while line := lines.readline().strip():
                    name, _, value = line.partition(b":")
                    if name.lower() == b"content-length":
                        length = int(value)
                message = lines.read(length)
            answer = self._ask(message)
            self.answers.append(answer)
            data = STYLES[self.style](answer).encode()
            pieces = [data[i : i + 1] for i in range(len(data))] if self.style == "byte-by-byte" else [data]
            for piece in pieces:
                connection.sendall(piece)
        except OSError:
            pass  # a manager that did not wait

    def _ask(self, message):
        try:
            with urllib.request.urlopen(urllib.request.Request(self.server, data=message), timeout=600) as reply:
                return reply.read().decode()
        except urllib.error.HTTPError as refusal:
            with refusal:
                return "refused: " + refusal.read().decode()
