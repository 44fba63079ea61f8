// A program started with a socket to talk through: this program itself, with the command `worker`.
//
// It ends with the thread that started it (PR_SET_PDEATHSIG, which the command asks for itself) or when its socket is
// closed, whichever it notices first, so that nothing is left behind when this process is killed. It has a process
// group of its own: Ctrl-C at a terminal is for us, and what becomes of the others we decide.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <vector>

namespace stratagem::worker {

// How a process ended.
struct Exit {
    int signal = 0;  // 0: it returned
    int code = 0;

    // "signal 11 (Segmentation fault)", "exit code 3".
    std::string to_text() const;
};

// What a worker returns when it cannot go on.
inline constexpr int exit_starved = 3;  // memory ran out
inline constexpr int exit_fault = 70;   // something was thrown, or the messages make no sense

class Process {
  public:
    // Starts `program`, as "stratagem" with these arguments; the socket is its standard input. Throws
    // std::system_error.
    Process(const std::string& program, const std::vector<std::string>& arguments);
    // Kills it if need be.
    ~Process();
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    pid_t pid() const { return pid_; }
    int socket() const { return socket_; }  // does not block
    int errors() const { return errors_; }  // what it writes to standard error; does not block
    // Tells it to end, without waiting. Does nothing to one that ended by itself.
    void kill() const;
    // Whether it is gone by now.
    bool gone();
    // Kills it, and returns when it is gone.
    Exit end();

  private:
    // Waits for its end, or only looks (WNOHANG).
    bool reap(int options);

    pid_t pid_ = -1;
    int socket_ = -1;
    int errors_ = -1;
    Exit exit_;
};

}  // namespace stratagem::worker
