#include "util/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace stratagem {

namespace fs = std::filesystem;

namespace {

std::string system_problem() { return std::strerror(errno); }

// Writes all of it and closes the file.
WriteProblem write_and_close(int file, std::string_view text) {
    WriteProblem problem;
    while (!text.empty() && !problem) {
        const ssize_t wrote = ::write(file, text.data(), text.size());
        if (wrote > 0) text.remove_prefix(static_cast<std::size_t>(wrote));
        if (wrote < 0 && errno != EINTR) problem = system_problem();
    }
    // Some file systems say only now that there was no room.
    if (::close(file) != 0 && !problem) problem = system_problem();
    return problem;
}

// Beside the file it will become, under a name that nobody else uses: processes have numbers, and threads a counter.
fs::path draft_name(const fs::path& path) {
    static std::atomic<unsigned> counter{0};
    return path.parent_path() / ("." + path.filename().string().substr(0, 180) + "." + std::to_string(::getpid()) +
                                 "." + std::to_string(counter.fetch_add(1)) + ".part");
}

WriteProblem write_draft(const fs::path& draft, std::string_view text) {
    ::unlink(draft.c_str());  // of a process that had our number and is gone
    const int file = ::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0) return system_problem();
    WriteProblem problem = write_and_close(file, text);
    if (problem) ::unlink(draft.c_str());
    return problem;
}

// As ::rename, but never over anything. Links do that wherever there are any, also on disks of other computers.
int move_to_free_name(const fs::path& from, const fs::path& to) {
    if (::link(from.c_str(), to.c_str()) == 0) {
        ::unlink(from.c_str());
        return 0;
    }
    if (errno == EEXIST) return -1;
    return ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE);
}

// Where symbolic links lead to, also if nothing is there yet.
fs::path behind_links(fs::path path) {
    constexpr int most = 40;  // as the system has it
    std::error_code ignored;
    for (int i = 0; i < most && fs::is_symlink(path, ignored); ++i) {
        const fs::path target = fs::read_symlink(path, ignored);
        if (ignored) break;
        path = target.is_absolute() ? target : path.parent_path() / target;
    }
    return path;
}

WriteProblem write_in_place(const fs::path& path, std::string_view text) {
    const int file = ::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (file < 0) return system_problem();
    return write_and_close(file, text);
}

// /dev/stdout and the like: what goes there must stand behind what went there before, and not in a file of its own.
std::optional<int> standard_stream(const struct stat& there) {
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
        struct stat open_one {};
        if (::fstat(stream, &open_one) != 0 || S_ISCHR(open_one.st_mode)) continue;  // a device is the same everywhere
        if (open_one.st_dev == there.st_dev && open_one.st_ino == there.st_ino) return stream;
    }
    return std::nullopt;
}

std::string folder_of(const fs::path& path) { return path.parent_path().empty() ? "." : path.parent_path().string(); }

}  // namespace

NewFile make_file(const fs::path& path, std::string_view text) {
    const fs::path draft = draft_name(path);
    if (WriteProblem problem = write_draft(draft, text)) return {false, std::move(problem)};
    if (move_to_free_name(draft, path) == 0) return {true, std::nullopt};
    const int fault = errno;
    ::unlink(draft.c_str());
    if (fault == EEXIST) return {};
    errno = fault;
    return {false, system_problem()};
}

WriteProblem write_file(const fs::path& path, std::string_view text) {
    struct stat there {};
    const bool exists = ::stat(path.c_str(), &there) == 0;
    if (exists) {
        if (const std::optional<int> stream = standard_stream(there)) {
            std::fflush(*stream == STDOUT_FILENO ? stdout : stderr);
            const int file = ::dup(*stream);
            return file < 0 ? WriteProblem(system_problem()) : write_and_close(file, text);
        }
        if (!S_ISREG(there.st_mode)) return write_in_place(path, text);
    } else if (errno != ENOENT) {
        return system_problem();
    }
    const fs::path target = behind_links(path);
    // A file we may write, in a folder where we may not make another.
    if (exists && ::access(folder_of(target).c_str(), W_OK) != 0) return write_in_place(target, text);
    const fs::path draft = draft_name(target);
    if (WriteProblem problem = write_draft(draft, text)) return problem;
    if (exists) ::chmod(draft.c_str(), there.st_mode & 07777);
    if (::rename(draft.c_str(), target.c_str()) == 0) return std::nullopt;
    WriteProblem problem = system_problem();
    ::unlink(draft.c_str());
    return problem;
}

WriteProblem cannot_write(const fs::path& path) {
    struct stat there {};
    if (::stat(path.c_str(), &there) == 0) {
        if (S_ISDIR(there.st_mode)) return "it is a folder";
        return ::access(path.c_str(), W_OK) == 0 ? WriteProblem() : system_problem();
    }
    if (errno != ENOENT) return system_problem();
    const fs::path target = behind_links(path);
    if (target.filename().empty()) return "it has no name";
    const std::string folder = folder_of(target);
    if (::stat(folder.c_str(), &there) != 0) return folder + ": " + system_problem();
    if (!S_ISDIR(there.st_mode)) return folder + " is no folder";
    return ::access(folder.c_str(), W_OK | X_OK) == 0 ? WriteProblem() : system_problem();
}

}  // namespace stratagem
