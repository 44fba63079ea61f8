#include "worker/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

// NOLINTNEXTLINE(readability-redundant-declaration): not every system's headers declare it
extern char** environ;

namespace stratagem::worker {

namespace {

[[noreturn]] void fail(int error, const char* what) { throw std::system_error(error, std::generic_category(), what); }

void check(int error, const char* what) {
    if (error != 0) fail(error, what);
}

// A file descriptor that is closed unless somebody takes it.
class Descriptor {
  public:
    explicit Descriptor(int number = -1) : number_(number) {}
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int number() const { return number_; }
    int take() { return std::exchange(number_, -1); }

  private:
    int number_;
};

// What the new process begins with: three descriptors, no blocked or ignored signals, a group of its own.
class Beginning {
  public:
    Beginning() {
        check(posix_spawn_file_actions_init(&actions_), "posix_spawn");
        check(posix_spawnattr_init(&attributes_), "posix_spawn");
        sigset_t none, all;
        sigemptyset(&none);
        sigfillset(&all);
        check(posix_spawnattr_setflags(&attributes_, static_cast<short>(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                                                        POSIX_SPAWN_SETSIGDEF)),
              "posix_spawn");
        check(posix_spawnattr_setpgroup(&attributes_, 0), "posix_spawn");
        check(posix_spawnattr_setsigmask(&attributes_, &none), "posix_spawn");
        check(posix_spawnattr_setsigdefault(&attributes_, &all), "posix_spawn");
    }
    ~Beginning() {
        posix_spawn_file_actions_destroy(&actions_);
        posix_spawnattr_destroy(&attributes_);
    }
    Beginning(const Beginning&) = delete;
    Beginning& operator=(const Beginning&) = delete;

    void with_descriptors(int input, int errors) {
        check(posix_spawn_file_actions_adddup2(&actions_, input, STDIN_FILENO), "posix_spawn");
        check(posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0), "posix_spawn");
        check(posix_spawn_file_actions_adddup2(&actions_, errors, STDERR_FILENO), "posix_spawn");
        check(posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1), "posix_spawn");
    }

    const posix_spawn_file_actions_t* actions() const { return &actions_; }
    const posix_spawnattr_t* attributes() const { return &attributes_; }

  private:
    posix_spawn_file_actions_t actions_{};
    posix_spawnattr_t attributes_{};
};

void do_not_block(int descriptor) {
    if (::fcntl(descriptor, F_SETFL, O_NONBLOCK) != 0) fail(errno, "fcntl");
}

}  // namespace

std::string Exit::to_text() const {
    if (signal != 0) return fmt::format("signal {} ({})", signal, strsignal(signal));
    if (code == exit_starved) return fmt::format("exit code {} (memory ran out)", code);
    return fmt::format("exit code {}", code);
}

Process::Process(const std::string& program, const std::vector<std::string>& arguments) {
    int pair[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) fail(errno, "socketpair");
    Descriptor ours(pair[0]), theirs(pair[1]);
    if (::pipe2(pair, O_CLOEXEC) != 0) fail(errno, "pipe");
    Descriptor reading(pair[0]), writing(pair[1]);
    do_not_block(ours.number());
    do_not_block(reading.number());

    std::vector<std::string> words{"stratagem"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    Beginning beginning;
    beginning.with_descriptors(theirs.number(), writing.number());
    check(posix_spawn(&pid_, program.c_str(), beginning.actions(), beginning.attributes(), argv.data(), environ),
          "posix_spawn");
    socket_ = ours.take();
    errors_ = reading.take();
}

Process::~Process() { end(); }

void Process::kill() const {
    if (pid_ > 0) ::kill(pid_, SIGKILL);
}

bool Process::gone() { return reap(WNOHANG); }

Exit Process::end() {
    kill();
    reap(0);
    return exit_;
}

bool Process::reap(int options) {
    if (pid_ < 0) return true;
    int status = 0;
    pid_t found = 0;
    do {
        found = ::waitpid(pid_, &status, options);
    } while (found < 0 && errno == EINTR);
    if (found == 0) return false;
    pid_ = -1;
    ::close(socket_);
    ::close(errors_);
    exit_ = WIFSIGNALED(status) ? Exit{WTERMSIG(status), 0} : Exit{0, WEXITSTATUS(status)};
    return true;
}

}  // namespace stratagem::worker
