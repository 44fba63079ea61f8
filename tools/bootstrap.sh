# What ./stratagem and ./test share: finding and installing packages, and building when something changed.
# Sourced by them with `root` set to the folder of the project. All it says goes to stderr.
#
# "Did anything change?" is answered by comparing a list of the sources (name, size, time of change) with the list kept
# beside the program at its last build, not by asking the build tool: it takes a few milliseconds instead of some hundred,
# and it notices new, deleted and replaced files, also those whose time went backwards.

exit_not_built=69  # the program could not be built, or packages for it are missing

house_name=${0##*/}

say() { printf '%s: %s\n' "$house_name" "$*" >&2; }

fail() {
    say "$@"
    exit "$exit_not_built"
}

# --- packages -------------------------------------------------------------------------------------------------------

probe_found() {
    local kind=${1%%:*} what=${1#*:} folder
    case $kind in
        command) command -v -- "$what" >/dev/null ;;
        file) compgen -G "$what" >/dev/null ;;
        header)
            # Headers that differ between processors are in a folder of their own.
            for folder in /usr/include /usr/local/include /usr/include/*-linux-gnu*; do
                [[ -e $folder/$what ]] && return 0
            done
            return 1
            ;;
        *) fail "tools/packages.txt: unknown probe '$1'" ;;
    esac
}

# Sets `missing` to the packages of the given groups that are not there.
find_missing_packages() {
    local group package probe rest
    missing=()
    while read -r group package probe rest; do
        [[ -z $group || $group == '#'* || " $* " != *" $group "* ]] && continue
        probe_found "$probe" || missing+=("$package")
    done <"$root/tools/packages.txt"
}

# The packages of the given groups are there when this returns; otherwise it ends the script with an explanation.
ensure_packages() {
    local -a as_root=()
    find_missing_packages "$@"
    ((${#missing[@]} == 0)) && return 0

    if [[ -n ${STRATAGEM_NO_INSTALL:-} ]]; then
        explain_missing "not installed, as you asked"
    elif ! command -v apt-get >/dev/null; then
        explain_missing "there is no apt-get here to install them with"
    elif ((EUID != 0)); then
        command -v sudo >/dev/null || explain_missing "installing them needs root, or sudo"
        # Without a terminal nobody could answer a question for a password.
        if ! { : </dev/tty; } 2>/dev/null && ! sudo -n true 2>/dev/null; then
            explain_missing "installing them needs root, and sudo asks for a password"
        fi
        as_root=(sudo)
    fi

    say "installing packages: ${missing[*]}"
    install_missing
    find_missing_packages "$@"
    ((${#missing[@]} == 0)) || explain_missing "still missing after the installation, see $install_log"
}

explain_missing() {
    say "missing packages: ${missing[*]} ($1)"
    say "to install them: sudo apt-get update && sudo apt-get install ${missing[*]}"
    exit "$exit_not_built"
}

apt() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 "$@" \
        </dev/null >>"$install_log" 2>&1 9>&-
}

# Package lists older than a day may name files that are gone from the mirrors.
package_lists_are_fresh() {
    [[ -n $(find /var/lib/apt/lists -maxdepth 1 -name '*_Packages*' -mtime -1 -print -quit 2>/dev/null) ]]
}

install_missing() {
    install_log=$root/build/install.log
    : >"$install_log"
    if package_lists_are_fresh; then
        apt install -y --no-install-recommends "${missing[@]}" && return 0
    fi
    apt update || say "apt-get update had problems; trying on (log: $install_log)"
    apt install -y --no-install-recommends "${missing[@]}" && return 0
    tail -n 20 "$install_log" >&2
    fail "the packages could not be installed; the whole log: $install_log"
}

# --- sources --------------------------------------------------------------------------------------------------------

# Everything the program is built from, one line each: name, size, time of change.
list_sources() {
    cd -- "$root" || exit
    find CMakeLists.txt CMakePresets.json cmake src \
        -type f ! -name '*.md' ! -name '.*' ! -name '*~' -printf '%p\t%s\t%T@\n' | LC_ALL=C sort
}

# Whether the program of a preset is there and was built from the sources as they are. Sets `sources`.
is_up_to_date() {
    local build=$root/build/$1 built_from=
    sources=$(list_sources)
    [[ -x $build/stratagem && -r $build/sources.list ]] || return 1
    IFS= read -r -d '' built_from <"$build/sources.list"
    [[ $sources == "${built_from%$'\n'}" ]]
}

# Whether a source was replaced by one that is older than the last build. The build tool compares times only, and would
# take the old object for a newer one.
time_went_backwards() {
    local list=$root/build/$1/sources.list
    [[ -e $list ]] || return 1
    awk -F '\t' -v built="$(stat -c %.9Y "$list")" '
        NR == FNR { before[$1] = $2 FS $3; next }
        ($1 in before) && before[$1] != $2 FS $3 && $3 <= built { found = 1 }
        END { exit !found }' "$list" - <<<"$sources"
}

# --- building -------------------------------------------------------------------------------------------------------

# One build at a time in a clone: others wait here, and find everything done.
lock_build() {
    mkdir -p "$root/build" && exec 9>>"$root/build/.lock" || fail "cannot write to $root/build"
    command -v flock >/dev/null || return 0
    if ! flock -n 9; then
        say "waiting for another build in this folder to end"
        flock 9
    fi
}

unlock_build() { exec 9>&-; }

# Compilers of today's C++ take up to a gigabyte each.
count_jobs() {
    local cores kilobytes name rest
    cores=$(nproc 2>/dev/null || echo 1)
    while read -r name kilobytes rest; do
        [[ $name == MemAvailable: ]] && break
    done 2>/dev/null </proc/meminfo
    jobs=$((${kilobytes:-0} / 1000000))
    ((jobs < 1)) && jobs=1
    ((jobs > cores)) && jobs=$cores
    return 0
}

# What a step of a build takes on one core, in tenths of a second: an average, for the time before there is a better one.
# About what docs/building.md has: processor time by steps.
tenths_per_step=28

# "35 s", "2 min", "1 min 20 s": as exactly as an estimate deserves.
duration_text() {
    local seconds=$1
    if ((seconds < 60)); then
        seconds=$(((seconds + 4) / 5 * 5))
        printf '%d s' $((seconds > 0 ? seconds : 5))
    elif ((seconds < 180)); then
        seconds=$(((seconds + 9) / 10 * 10))
        printf '%d min' $((seconds / 60))
        ((seconds % 60 > 0)) && printf ' %d s' $((seconds % 60))
    else
        printf '%d min' $(((seconds + 30) / 60))
    fi
}

# Sets `steps` to the number of steps a build will take; to 0 where the build tool does not tell.
count_steps() {
    local line
    steps=0
    while IFS= read -r line; do
        [[ $line =~ ^\[[0-9]+/([0-9]+)\] ]] && steps=${BASH_REMATCH[1]}
    done < <(cmake --build "$1" --target "$2" -- -n </dev/null 2>/dev/null)
}

# seconds_left DONE TOTAL SECONDS: from what the steps so far took, and at first from what steps take elsewhere.
seconds_left() {
    local expected=$((tenths_per_step * 10 / jobs))  # tenths of a second for the ten steps it counts as
    left=$((($2 - $1) * (expected + $3 * 10) / (10 + $1) / 10))
}

show_bar() {
    local percent=$1 left=$2 width=30 filled bar
    filled=$((percent * width / 100))
    printf -v bar '%*s' "$filled" ''
    bar=${bar// /#}
    printf -v bar '%-*s' "$width" "$bar"
    printf '\r\033[K%s: building [%s] %3d %%, about %s left' "$house_name" "${bar// /.}" "$percent" \
        "$(duration_text "$left")" >&2
}

# Copies the output of the build into the log, and shows how far it is and how long it will still take: on a terminal a bar,
# elsewhere a line every ten seconds.
show_progress() {
    local line= piece status=0 done=0 total=0 left=0 started=$SECONDS shown=$SECONDS
    while ((status == 0 || status > 128)); do  # above 128: a second went by without a line
        IFS= read -r -t 1 piece
        status=$?
        line+=$piece
        if ((status == 0)); then
            printf '%s\n' "$line"
            [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] && done=${BASH_REMATCH[1]} total=${BASH_REMATCH[2]}
            line=
        fi
        ((total > 0)) || continue
        seconds_left "$done" "$total" $((SECONDS - started))
        if [[ -t 2 ]]; then
            show_bar $((100 * done / total)) "$left"
        elif ((SECONDS - shown >= 10 && done < total)); then
            say "building, $((100 * done / total)) % done, about $(duration_text "$left") left"
            shown=$SECONDS
        fi
    done >>"$1"
    [[ -z $line ]] || printf '%s\n' "$line" >>"$1"
    [[ -t 2 ]] && printf '\r\033[K' >&2
    return 0
}

build_failed() {
    printf '\n' >&2
    # From the first thing that failed, or else the end.
    { grep -m 1 -A 60 -E '^FAILED:|^CMake Error' "$2" || tail -n 40 "$2"; } >&2
    fail "$1 failed; the whole log: $2"
}

interrupted() {
    trap - INT TERM
    [[ -t 2 ]] && printf '\r\033[K' >&2
    say "stopped; the next call goes on from here"
    kill -s "$1" $$
}

# Says how long a build will take that is long enough to ask. Of build(), whose variables it uses.
announce_build() {
    local on="one core"
    ((${#clean[@]} == 0)) || return 0  # what has to be built is known only once everything is gone
    count_steps "$folder" "$target"
    ((steps >= 10)) || return 0
    ((jobs > 1)) && on="$jobs cores"
    say "$steps steps; this takes about $(duration_text $((steps * tenths_per_step / 10 / jobs))) on $on"
}

# build PRESET TARGET [cmake option...]: configures and builds. Returns only when it worked.
build() {
    local preset=$1 target=$2 started=$SECONDS
    local folder=$root/build/$preset
    local log=$root/build/$preset.log
    local -a clean=()
    shift 2

    # A clone that was moved or copied cannot go on with the files of its old place.
    if [[ -e $folder/CMakeCache.txt ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt"; then
        rm -rf -- "$folder"
    fi
    time_went_backwards "$preset" && clean=(--clean-first)

    trap 'interrupted INT' INT
    trap 'interrupted TERM' TERM
    if [[ -e $folder/CMakeCache.txt ]]; then
        say "building ($preset)"
    else
        say "building for the first time ($preset)"
    fi
    cmake -S "$root" --preset "$preset" "$@" </dev/null >"$log" 2>&1 || build_failed "configuration" "$log"
    count_jobs
    announce_build
    cmake --build "$folder" --target "$target" --parallel "$jobs" "${clean[@]}" </dev/null 2>&1 | show_progress "$log"
    ((PIPESTATUS[0] == 0)) || build_failed "the build" "$log"
    trap - INT TERM
    say "built in $((SECONDS - started)) s"

    # The list was made before the build: a file that changed meanwhile is noticed next time.
    printf '%s\n' "$sources" >"$folder/sources.list.new" && mv -f -- "$folder/sources.list.new" "$folder/sources.list"
}
