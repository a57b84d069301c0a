"""Every default and limit, once, each naming its source. Code says the name, never the number."""

from msgspec import Struct, field

KIB = 1024
MIB = 1024 * KIB

# What may come in.
MESSAGE_BYTES = 4 * MIB  # one message on any wire: above it nothing is even parsed
MESSAGE_DEPTH = 64  # nesting: real calls stay under 10, parsers and validators recurse
MESSAGE_NODES = 50_000  # values in one message: a fault in each must not hold up the others
ID_CHARS = 256  # session, call and component names: they are kept, so they have an end
SCHEMA_NODES = 100_000  # parts of one tool's schema, its references unfolded; large real ones have some 5,000
NAME_CHARS = 64  # tool names: the strictest function-calling API takes no more
DESCRIPTION_CHARS = 4_000  # above it a description is flagged: it eats the model's context

# What a call may take.
CALL_TIMEOUT_S = 120.0  # as Claude Code's shell; contract 002 asks for 10 s in its own dialect
CALL_TIMEOUT_MAX_S = 600.0
EXEC_TIMEOUT_MS = 10_000  # contract 002, a command in its own dialect
PLUGIN_BYTES = 1024 * 1024  # a file of tools; above it, it is something else
CONCURRENT_CALLS = 256
CONCURRENT_THREADS = 32  # blocking tools at once; a thread that hangs keeps its place

WORKER_IDLE_S = 10.0  # how long a thread waits for the next blocking tool before it ends

# Contract 000.
INLINE_LOG_BYTES = 10 * KIB  # above it a record keeps a head and the length

# Contract 001.
READ_DEFAULT = 100 * KIB  # maxBytes; contract 000 cuts here too (C5)
READ_MAX = 500 * KIB  # and the largest file contract 001 answers at all
READS = 20  # a component's reads in all (C20)
CONCURRENT_READS = 20  # and at once
READ_BUDGET = 5 * MIB  # a component's bytes
LIST_DEFAULT = 50
LIST_MAX = 100
LISTS = 10  # a component's listings
COMPONENT = {"reads": READS, "concurrent_reads": CONCURRENT_READS, "read_bytes": READ_BUDGET, "lists": LISTS}
READS_UNJUSTIFIED = 5  # reads before the index-first policy asks why (C72)

# Files.
PATH_BYTES = 4_096  # PATH_MAX of Linux
NAME_BYTES = 255  # one name, on every file system in use
LINKS_FOLLOWED = 40  # as Linux does
READ_LINES = 2_000  # lines in one answer, as Claude Code and opencode
LINE_CHARS = 2_000  # of one line
READ_MANY = 50  # files in one call
TREE_DEPTH = 3  # contract 000, list_dirs
WALK_DEPTH = 64  # of any walk: real trees stay under 30
WALK_ENTRIES = 2_000_000  # of any walk
WRITE_MAX = 8 * MIB
EDITS_MAX = 200  # in one call
IMAGE_MAX = 5 * MIB  # what models take inline
CACHE_BYTES = 64 * MIB  # of text the read cache holds
SEEN_KEPT = 10_000  # files a workspace remembers having shown, over all sessions
UNDO_DAYS = 7  # how long what was there before a change is kept
UNDO_BYTES = 1024 * MIB  # and how much of it

# Searching.
SEARCH_DEFAULT = 20  # hits in one answer: Zed
SEARCH_MAX = 200
SEARCH_PER_FILE = 50
SEARCH_FILE_BYTES = 8 * MIB  # a larger file is passed over, and counted
SNIPPET_CHARS = 240  # of a long line, around the hit
PATTERN_CHARS = 5_000  # a regular expression
PATTERN_MEMORY = 16 * MIB  # what RE2 may take for one
GLOB_CHARS = 1_000
GLOB_BRACES = 8  # groups: 18 froze a server for 15 s
GLOB_STARS = 32

# Git and remotes.
GIT_TIMEOUT_S = 30.0
GIT_OUTPUT_BYTES = 4 * MIB  # of one git command; more is cut and said
GIT_LOG_DEFAULT = 20
GIT_LOG_MAX = 200
REMOTE_TIMEOUT_S = 30.0
REMOTE_BYTES = 16 * MIB  # one answer of a remote repository
REMOTE_CACHE_BYTES = 64 * MIB

# Contract 000, plans.
PLAN_ITEMS = 15

# What an error may cost and tell.
BACKTRACKS = 10_000  # some 1 ms; patterns people write need a few hundred
NAMES_READ = 5_000  # a list that is longer is data, not names to choose from
NAMES_COMPARED = 500  # of those about as long as the word: each costs some 20 microseconds
TRIAL_BYTES = 100 * KIB  # what one trial may read: some milliseconds
TRIALS_BYTES = 2 * 1024 * KIB  # and all trials of one call together
TRIES = 8  # candidates for one fault
FAULTS_COUNTED = 1_000  # faults of one call that are looked at: to know how many more there are
OPTIONS_TOLD = 100  # allowed values and known names in one error
ECHO_PARTS = 100  # of a refused list or object: ECHO_CHARS holds no more

# What is remembered.
SESSIONS_KEPT = 10_000
RECORDS_IN_MEMORY = 10_000
ECHO_CHARS = 200  # of a refused value, in an error's context
FAULTS_TOLD = 20  # of one call: more teach nobody, and each costs another look at the whole call

# Text and how it is read.
TEXT_CONTROL_PERCENT = 5  # of control characters; random bytes have some 10, text has none
SNIFF_BYTES = 64 * KIB  # of a large file, to tell how it is written
READY_BYTES = 64 * KIB  # a file that may be read on the event loop, when all of it is in memory
BLOCK_BYTES = 1 * MIB  # of a large file held at once
CACHE_ENTRY_BYTES = 512  # what a kept file weighs beside its bytes: empty ones have an end too
OUTLINE_BYTES = 1 * MIB  # of a large file, looked through for its outline
OUTLINE_SYMBOLS = 200  # in one answer
OUTLINE_CHARS = 120  # of one symbol's line
OUTLINE_LINE_CHARS = 300  # of a line that are looked at: what a definition begins with
NEAREST_ENTRIES = 5_000  # looked at for a file of the same name: some 50 ms
NEAREST_TOLD = 5  # existing paths named where one is not found

# Opening and writing files.
OPEN_TRIES = 8  # of an open that met a rename: each fails only while another goes on
FOLDED_NAMES = 16_384  # names whose loosest spelling is remembered
COPIES_OF_COPIES = 3  # how often a name may say that it is a copy, as `.id_rsa.bak.swp` does
RACY_NS = 100_000_000  # a file changed this lately may change again under the same time stamp
TEMP_STALE_S = 3_600.0  # a temporary file this old belongs to no write that still runs
SWEPT_FOLDERS = 10_000  # folders a root remembers having swept of them

# Asking a remote.
REMOTE_LISTING_BYTES = 32 * MIB  # GitHub lists up to 100,000 entries at once, some 300 bytes each
REMOTE_AHEAD_AFTER = (
    16  # files fetched one by one before the rest comes as one archive: 60 requests an hour are few
)
REMOTE_AHEAD_BYTES = 32 * MIB  # of files in all, for which that is done
REMOTE_RETRY_S = (0.5, 1.0)  # waits before a remote is asked again: what passes, passes in that time
REMOTE_HOPS = 5  # redirects of one request
REMOTE_IDLE = 4  # connections a remote keeps for later; GitHub asks for few at once
REMOTE_PAUSE_S = 60.0  # where GitHub asks to wait and does not say how long
REMOTE_PAUSE_MAX_S = 3600.0  # its longest window: a wrong header must not close a remote for good

# Differences, matches and patches.
DIFF_STEPS = 400_000  # of one diff: some 0.2 s; past it the diff is coarser, never slower
DIFF_CONTEXT = 3  # lines around a change, as git shows them
DIFF_LINES = 200_000  # compared on either side: some 1 s and 100 MB; more is shown as one change
DIFF_SLIDE = 100  # lines a change may be shown earlier or later, where that reads better
MATCH_LINES = 500_000  # of a file in which more than exact quotes are looked for
MATCHES_MAX = 100_000  # places one edit may change at once
MATCH_WORK = 5_000_000  # characters compared while indents are matched: some 0.5 s; more is no match
SPAN_GROWTH = 2  # what is matched may be so many times as long as what was looked for
SPAN_LINE_CHARS = 80  # and this much a line on top: room for another indent
CLOSEST_LINES = 50_000  # of a file that are looked at for the region most like a missing text
CLOSEST_WANTED = 200  # lines of the missing text that are compared
CLOSEST_LINE_CHARS = 400  # and of each of them
CLOSEST_PLACES = 200  # places of one line or word; what is more frequent tells nothing
CLOSEST_TRIED = 5  # regions that are compared
CLOSEST_SHOWN = 20  # lines of the closest region in an error
CLOSEST_CHARS = 2_000  # of the same, and of a suggested longer text
CLOSEST_SNIPPET = 20  # characters of both sides, from the first difference on
CLOSEST_LIKE = 0.5  # how like a region must be, of 1, to teach anything
CLOSEST_SURE = 0.8  # and to be offered as what was meant: Zed takes such for a match
UNIQUE_LINES = 10  # around a text, to make it the only one of its kind
UNIQUE_TOLD = 3  # places of an ambiguous text that are offered with more around them
PATCH_FILES = 200  # in one patch
PATCH_HUNKS = 1_000  # in one patch: each may be searched for in the whole file
PATCH_ANCHORS = 10  # `@@` lines above one hunk

# Ignore files.
IGNORE_BYTES = 1 * MIB  # of one file: real ones stay under 20 KiB
IGNORE_RULES = 10_000  # of one file
IGNORE_WILD_BYTES = 64 * KIB  # of patterns with wildcards: each costs some time for every entry
IGNORE_CACHED_BYTES = 64 * KIB  # a file up to this size is kept ready for the next walk
IGNORE_REGEX_CHARS = 4 * KIB  # of one expression: RE2 slows down with hundreds of groups
GLOB_MEMORY = 2 * MIB  # what RE2 may take for one glob, or some rules of an ignore file

# Searching, continued.
PATTERN_PIECE_BYTES = 64 * KIB  # given to RE2 at once: the slowest patterns take some 1 s for it
PATTERN_WORK = 1024 * MIB  # bytes of one line times instructions of a pattern: some 1 s at worst
SEARCH_CONTEXT = 20  # lines before or after a hit
SEARCH_S = 10.0  # one answer; what is left is for the next one
BINARY_BYTES = 8 * KIB  # a NUL among these makes a file binary, as git and grep have it

# Undoing.
UNDO_ENTRIES = 10_000  # changes that can be undone: listing them stays under a second
UNDO_SWEEP_S = 3_600.0  # what is too old goes at most this often: it reads every entry
UNDO_LISTED = 20  # changes shown at once, newest first


# git.
GIT_STOP_S = 2.0  # between asking git to stop and making it: it takes its lock files away
GIT_STDERR_BYTES = 4 * KIB  # of what git complains
GIT_CONFIG_BYTES = 1 * MIB  # one file of a repository's configuration; real ones have some KiB
GIT_CONFIG_FILES = 50  # files it may include: git's own limit is a depth of 10
GIT_OVERRIDES = 1_000  # programs it may name before it is refused
GIT_POINTER_BYTES = 64 * KIB  # files of git's own that name other places
GIT_FILES_VETTED = 200_000  # files beside the objects, looked over before git writes: refs, logs, worktrees
GIT_INDEX_BYTES = 128 * MIB  # names in an index: the largest public repositories have some 30 MiB
GIT_REFS_TOLD = 200  # compared with a name nobody knows
GIT_TREE_BYTES = 32 * MIB  # of a whole tree's listing; a larger one is listed folder by folder
GIT_BLOB_MEMORY = 4 * MIB  # a file of a revision held in memory; a larger one goes through a temporary file
GIT_BLOB_BYTES = 256 * MIB  # and the largest that is opened at all
GIT_REPOSITORIES = 64  # repositories the git tools remember
GIT_STATUS_DEFAULT = 200  # changed and untracked files in one answer
GIT_STATUS_MAX = 2_000
GIT_FILES_MAX = 1_000  # files of one diff that are listed
GIT_PATCH_DEFAULT = 64 * KIB  # of a patch in one answer
GIT_PATCH_MAX = 1 * MIB
GIT_CONTEXT_MAX = 50  # unchanged lines around a change
GIT_WITHHELD_MAX = 1_000  # files left out of a patch by name: each is an argument
GIT_BLAME_LINES = 1_000  # lines in one answer
GIT_BRANCHES_DEFAULT = 50
GIT_BRANCHES_MAX = 500
GIT_PATHS_MAX = 500  # paths in one call
GIT_MESSAGE_CHARS = 20_000  # a commit's message
GIT_BODY_CHARS = 1_000  # and of one of many, what is shown
GIT_LOG_BYTES = 16 * MIB  # of git's log: 200 messages of any length people write
GIT_WORD_CHARS = 1_000  # an author, a date, a text to look for in messages
GIT_GREP_S = 10.0  # a pattern git itself runs may backtrack; then it is stopped
GIT_CHECKOUT_S = 110.0  # writing a whole tree, within a call's own time
TWIN_NAMES = 10_000  # names of a folder a new one is compared with: 5 to 11 ms; more are data, not a project

# The sandbox.
SANDBOX_MEMORY_BYTES = 4096 * MIB  # private memory of one process: compilers and the JVM stay below it
SANDBOX_ADDRESS_BYTES = 64 * 1024 * MIB  # what it may reserve: node takes 10 GiB for each WebAssembly module
SANDBOX_TEMP_BYTES = 1024 * MIB  # of a home or temporary folder that lies in memory
SANDBOX_FILE_BYTES = 512 * MIB  # the largest file a command may write
SANDBOX_OPEN_FILES = 1_024  # what most systems give a process anyway
SANDBOX_PROCESSES = 4_096  # the limit counts all of a user's processes and threads, also those outside
SANDBOX_CPU_S = 3_600  # CPU time of one process: a build may take half an hour, a lost loop ends
SANDBOX_HOMES_KEPT = 8  # private homes that were left untouched, for the next commands
SANDBOX_RULESETS_KEPT = 32  # sets of Landlock rules, a descriptor each: making one takes some 0.3 ms
SANDBOX_GRANTS = 20_000  # files and folders opened one by one beside masked ones: some 5 us each
SANDBOX_PRIVATE_ENTRIES = (
    20_000  # of /etc, looked at once by a server that runs as root: real ones have 2,000
)
SANDBOX_MASK_ENTRIES = 200_000  # looked at for what must be masked: some 0.3 s the first time
SANDBOX_MASK_FOLDERS = 50_000  # remembered, so that the next look is one stat a folder
SANDBOX_SETTLED_S = (
    2.0  # a folder that changed less than this ago may change again unnoticed: its stamp is coarse
)
SANDBOX_STANDINS_FOLDER = (
    200  # files of a masked folder covered one by one: some 0.1 s of mounts, growing by the square
)
SANDBOX_STANDINS_KEPT = 4_096  # empty files that stand for masked ones: no bytes, only a name each
SANDBOX_TRACKED_PATHS = 1_000  # masked paths git is asked about: each is an argument
SANDBOX_INDEXES_KEPT = 32  # answers of git about them, until an index changes: some 5 ms each
SNAPSHOT_FILE_BYTES = 1 * MIB  # of a protected file that can be put back: real ones stay under 100 KiB
SNAPSHOT_BYTES = 16 * MIB  # and of all that one command could change
SNAPSHOT_ENTRIES = 5_000  # files and folders looked at for it
SNAPSHOT_DEPTH = 32  # folders in folders: hooks and editor settings have three
SNAPSHOTS_KEPT = 2_000  # files whose text is kept between two commands, by their stamps
PROBE_S = 10.0  # for a canary, which takes some 30 ms: a machine that hangs has no sandbox

# The proxy of commands that may reach hosts.
PROXY_CONNECTIONS = 128  # of one command at once, further ones wait: package managers open some 50
PROXY_HEAD_BYTES = 32 * KIB  # of a request's line and headers: most servers take no more
PROXY_HEAD_S = 10.0  # for a request's head to arrive: it comes from this machine
PROXY_LOOKUP_S = 10.0  # for a name: two tries of the system's resolver
PROXY_DIAL_S = 10.0  # for one address to answer
PROXY_ADDRESSES = 4  # of one name that are tried
PROXY_IDLE_S = 300.0  # without a byte either way: a server may think that long about an answer
PROXY_TOTAL_S = 3_600.0  # for one connection: an hour's download
PROXY_CHUNK_BYTES = 64 * KIB  # carried at once
PROXY_LINGER_S = 2.0  # for what a refused client still sends: a reset would take the answer from it
PROXY_REFUSALS = 100  # told apart in a report
PROXY_END_S = 5.0  # for it to end with its command

# Commands.
EXEC_TIMEOUT_DEFAULT_MS = 120_000  # as Claude Code's shell
EXEC_TIMEOUT_MAX_MS = 600_000
EXEC_SPARE_S = 5.0  # before the call's own end, so that a command is ended and its output still told
EXEC_OUTPUT_BYTES = 16 * KIB  # of a command's output in one answer: Zed
EXEC_OUTPUT_MAX = 1 * MIB
EXEC_LOG_BYTES = 64 * MIB  # of a command's output in all; one that says more is stopped
EXEC_CHUNK_BYTES = 64 * KIB  # what a pipe holds
EXEC_GRACE_S = 2.0  # between asking a command to end and ending it
EXEC_PIPE_S = 0.2  # for what a command's children still have to say after it ended
EXEC_END_S = 5.0  # for a killed process to be gone: one in the midst of a disk operation ends after it
EXEC_ROUNDS = 200  # of looking for processes that were started while others were ended
EXEC_LINE_BYTES = 128 * KIB - 1  # one argument of a program on Linux
EXEC_ARGV_MAX = 1_000
EXEC_ENV_MAX = 64
EXEC_SESSION = 16  # commands of one session at once
EXEC_TOTAL = 64  # and of all: each has a thread
EXEC_ENDED_KEPT = 100  # ended commands whose output can still be asked for
EXEC_BACKGROUND_S = 8 * 3600.0  # of a background command without a timeout of its own: a working day
EXEC_STDIN_BYTES = 64 * KIB  # in one call
EXEC_STDIN_QUEUE = 1 * MIB  # not yet read by the command
EXEC_TELL_S = 0.5  # between two signs of life
EXEC_POLL_S = 0.05  # between two looks whether a command said something
EXEC_WAIT_MS = 1_000  # for news of a background command: without it a model asks over and over
EXEC_WAIT_MAX_MS = 60_000
EXEC_TOLD_CHARS = 200  # of the last line, in a sign of life
TERMINAL_COLUMNS = 120
TERMINAL_ROWS = 40
DRY_RUN_FILES = 200  # changed files whose differences are shown
DRY_RUN_BYTES = 256 * KIB  # of differences in one answer
DRY_RUN_ENTRIES = 100_000  # changed files and folders that are looked at

# Command lines: what is read of them before a person must look.
COMMAND_CHARS = 10_000  # longer lines are split crudely and asked about; parsed in 10 to 20 ms
COMMAND_COUNT = 64  # commands in one line; people write fewer
COMMAND_STEPS = 512  # commands walked through, loops and functions counted each time: some 20 ms
COMMAND_WORDS = 16  # words that count as one more of these steps
COMMAND_NESTING = 8  # wrappers around a command, `sudo env bash -c ...`
COMMAND_DEPTH = 120  # levels of syntax read: groups, substitutions, conditions
COMMAND_HEREDOCS = 16  # here-documents in a line: the parser takes 60 us and more for each further one
COMMAND_BRACKETS = 512  # `[` in a line: ten thousand take the parser 40 ms and more
COMMAND_UNBOUNDED_CHARS = 256  # so short that no text of that length is slow to parse
COMMAND_CHUNK_BYTES = 64  # handed to the parser at once, so that how often it looks back can be counted
COMMAND_LOOKS = 3  # times the parser may look at each chunk: broken syntax makes it quadratic
COMMAND_FOLDERS = 16  # folders a command may run in, after some `cd` that may have failed
BRACE_GROUPS = 32  # `{a,b}` groups in a word that are expanded
BRACE_WORDS = 64  # words they may stand for
LOOP_VALUES = 16  # values of a `for` loop that its body is read with
CRUDE_COMMANDS = 2_000  # commands told of a line that could not be read; the rest of its words stand in one
COMMANDS_REMEMBERED = 1_024  # patterns of rules kept ready for matching

# Rules.
RULE_CHOICES = 64  # what the groups {a,b} of one path pattern may be multiplied out to
PATTERNS_KEPT = 4_096  # patterns of rules, made ready for one root each, that are remembered
TOUCHED_GAPS = 32  # wildcards in one path of a command; after them anything may follow
POLICY_BYTES = 256 * KIB  # of one policy file; above it, it is something else
POLICY_RULES = 250  # rules in one list of a policy file: each is asked about every atom, for 1 us or more
HOST_CHARS = 2_048  # of a URL that is judged; servers take no longer ones


# Permissions.
BOOKS_KEPT = (
    256  # rulebooks with a session's grants laid out: one is made in some 20 us, so few need to be kept
)
GUESSED_ARGUMENTS = (
    200  # texts among a stranger's arguments that are looked at as paths: more is no list of files
)
GRANTS_BYTES = 4 * MIB  # some 20,000 answers of one user; what is larger was not written by us


# The desktop.
APP_ENTRIES = 10_000  # installed applications that are looked at; a full desktop has some 500
APP_ENTRY_BYTES = 256 * KIB  # of one desktop entry or property list; with all translations they have some 30
APP_FOLDERS_DEEP = 4  # folders below one for desktop entries, which become part of their ids
APP_PROGRAMS = 20_000  # programs on the search path; a developer's machine has some 4,000
APP_NAME_CHARS = 200  # of a name that is compared: none is longer
APP_FILES = 32  # files or addresses an application is given to open
APP_START_S = 10.0  # until an application runs: another interpreter starts it, in some 20 ms
APPS_NEAREST = 5  # names told where nothing is found
MIC_SERVER_S = 3.0  # for an answer of the sound server, which takes some 10 ms
MIC_PATIENCE_S = 2.0  # from asking a program to end until it is told to have stayed
MIC_LOOK_S = 0.05  # between two looks whether it let go of the microphone
MIC_COMMAND_CHARS = 300  # of the command line of a process that holds it


# Asking, and rules of other programs.
APPROVALS_WAITING = 64  # calls that wait for a person at once: nobody reads through more
APPROVAL_POLL_S = 0.2  # between two looks whether another process answered: five looks at one name a second
APPROVAL_MAX_S = 24 * 3600.0  # a question older than a day is about a world that has changed
APPROVAL_BYTES = 256 * KIB  # of one question in its file: cut as below, it is smaller however it is escaped
APPROVAL_SHOWN_CHARS = 4_000  # of a call's arguments: what nobody can read, nobody can agree to
APPROVAL_ASK_CHARS = 400  # of each thing that a call would do
APPROVAL_SHOWN_ATOMS = 20  # things that a call would do, one by one; the rest is counted
IMPORT_BYTES = 1 * MIB  # of another program's settings: real ones have some 10 KiB

# Authorize: what is quoted of a mistake.
QUOTED_CHARS = 120  # enough to find it again in a file; a whole pattern may have thousands


class Limits(Struct, frozen=True, kw_only=True):
    """The limits a bench runs with: set by its owner, never by a call."""

    timeout_s: float = CALL_TIMEOUT_S
    timeout_max_s: float = CALL_TIMEOUT_MAX_S
    concurrent_calls: int = CONCURRENT_CALLS
    concurrent_threads: int = CONCURRENT_THREADS
    sessions_kept: int = SESSIONS_KEPT
    run: dict[str, int] = {}
    """Units a whole run may use, such as {"calls": 500}; a unit not named has no limit."""
    session: dict[str, int] = {}
    component: dict[str, int] = field(default_factory=lambda: dict(COMPONENT))
    """Counted only for calls that name a component, as contract 001's do."""
