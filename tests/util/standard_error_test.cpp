#include "util/standard_error.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <sstream>
#include <string>
#include <thread>

namespace stratagem {
namespace {

using ::testing::HasSubstr;

class Pipe {
  public:
    Pipe() { EXPECT_EQ(::pipe(ends_.data()), 0); }
    ~Pipe() {
        close_reader();
        close_writer();
    }

    int writer() const { return ends_[1]; }
    void close_reader() { close_end(0); }
    void close_writer() { close_end(1); }

    // What is in it now.
    std::string read_some() {
        std::string text(1 << 16, '\0');
        const ssize_t count = ::read(ends_[0], text.data(), text.size());
        text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
        return text;
    }

    std::string read_all() {
        close_writer();
        std::string all;
        for (std::string text = read_some(); !text.empty(); text = read_some()) all += text;
        return all;
    }

  private:
    void close_end(std::size_t which) {
        if (ends_[which] != -1) ::close(ends_[which]);
        ends_[which] = -1;
    }

    std::array<int, 2> ends_{-1, -1};
};

TEST(BackgroundLog, WritesEverythingInOrderBeforeItEnds) {
    Pipe pipe;
    {
        const BackgroundLog log(pipe.writer());
        write_standard_error("one\n");
        write_standard_error("two\n");
    }
    EXPECT_EQ(pipe.read_all(), "one\ntwo\n");
}

TEST(BackgroundLog, NeverWaitsForAReaderAndCountsWhatItDropped) {
    Pipe pipe;
    const std::string line(99, 'x');
    constexpr std::size_t lines = 3 * BackgroundLog::most_bytes / 100;
    std::string text;
    std::atomic<std::size_t> read = 0;
    std::thread reader;
    {
        const BackgroundLog log(pipe.writer());
        for (std::size_t i = 0; i < lines; ++i) write_standard_error(line + "\n");  // hangs here if it waits
        // Somebody reads after all: there is room again, and the next line is preceded by what happened.
        reader = std::thread([&] {
            for (std::string some = pipe.read_some(); !some.empty(); some = pipe.read_some()) {
                text += some;
                read = text.size();
            }
        });
        while (read < BackgroundLog::most_bytes / 2) std::this_thread::yield();
        write_standard_error("the end\n");
    }
    pipe.close_writer();
    reader.join();
    EXPECT_TRUE(text.starts_with(line + "\n" + line));
    EXPECT_TRUE(text.ends_with("the end\n"));
    // Every line was written or counted; there may be several counts, as the pipe takes something now and then.
    std::size_t written = 0;
    std::size_t dropped = 0;
    std::istringstream all(text);
    for (std::string one; std::getline(all, one);) {
        if (one == line) ++written;
        if (one.starts_with("stratagem: ")) {
            EXPECT_THAT(one, HasSubstr(" of this log could not be written and are lost"));
            dropped += std::stoul(one.substr(11));
        }
    }
    EXPECT_GT(dropped, 0U);
    EXPECT_EQ(written + dropped, lines);
}

TEST(BackgroundLog, EndsThoughNobodyReads) {
    Pipe pipe;
    const std::string line(999, 'x');
    constexpr std::size_t lines = 1000;
    {
        const BackgroundLog log(pipe.writer());
        for (std::size_t i = 0; i < lines; ++i) write_standard_error(line + "\n");
    }
    const std::string there = pipe.read_some();
    EXPECT_TRUE(there.starts_with(line + "\n")) << "what found room was written";
    EXPECT_LT(there.size(), lines * (line.size() + 1)) << "the rest was given up";
}

// Whatever happened to one log, the next is written.
void expect_next_log_is_written() {
    Pipe pipe;
    {
        const BackgroundLog log(pipe.writer());
        write_standard_error("somebody hears this\n");
    }
    EXPECT_EQ(pipe.read_all(), "somebody hears this\n");
}

TEST(BackgroundLog, OutlivesItsReader) {
    guard_standard_streams();
    {
        Pipe pipe;
        const BackgroundLog log(pipe.writer());
        pipe.close_reader();
        for (int i = 0; i < 1000; ++i) write_standard_error("nobody hears this\n");
    }
    expect_next_log_is_written();
}

TEST(BackgroundLog, OutlivesAFullDisk) {
    const int full = ::open("/dev/full", O_WRONLY);
    if (full == -1) GTEST_SKIP() << "there is no /dev/full here";
    {
        const BackgroundLog log(full);
        for (int i = 0; i < 1000; ++i) write_standard_error("no room for this\n");
    }
    ::close(full);
    expect_next_log_is_written();
}

TEST(BackgroundLog, OneInsideAnotherHasNoEffect) {
    Pipe outer;
    Pipe inner;
    {
        const BackgroundLog log(outer.writer());
        { const BackgroundLog another(inner.writer()); }
        write_standard_error("to the first\n");
    }
    EXPECT_EQ(outer.read_all(), "to the first\n");
    EXPECT_EQ(inner.read_all(), "");
}

}  // namespace
}  // namespace stratagem
