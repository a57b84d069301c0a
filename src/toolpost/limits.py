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

# The index.
ECMA_STRING_BYTES = (
    10_000  # of a string before a word in it: a longer one is likely none, and read once a word
)
ECMA_LOOK_BACK_BYTES = (
    400  # of a line before `export` or `import`: decorators that long have lines of their own
)
ECMA_SEARCHED = 16  # names searched for one by one, 1 us each in 1 KiB; for more all of a file is read, 10 us
ECMA_GETTER_BYTES = 120  # from an export's name to the `return` of its getter, as compilers lay it out
ECMA_LOOP_BYTES = 400  # of a compiler's loop that passes all of a module on
INDEX_PAGE_BITS = (
    16  # 64 KiB checked at once: 47 us, once in a process; 1 GiB of text has 64 KiB of checksums
)
INDEX_META_PAGE_BITS = 12  # 4 KiB: records are met one here, one there, and each costs its page once
INDEX_PIECE_BYTES = 1 * MIB  # of a section held before it is written
INDEX_PACK_BITS = 4  # 16 files' exports and imports compressed together: a fifth of the size, 6 us to unpack
INDEX_LOCK_POLL_S = 0.02  # between two tries to be the one who writes
EXPORT_CHARS = 200  # of a name that are looked at: what is longer is no name people ask for
NAME_WORDS = 8  # of a name it is found by: 36 runs; more words have one name in a thousand
QUERY_DEFAULT = 50  # contract 001, files in one answer
QUERY_MAX = 200  # and the most of them
PARSE_BYTES = 1 * MIB  # of a file given to a parser: 0.1 to 0.3 s; of a larger one its first lines are read
PARSE_ANGLES = (
    4_000_000  # squares of the `<` in each statement: Java's and C#'s grammars take 15 to 60 bytes each
)
NAME_ENTRIES = 1_000_000  # files of names that are sorted at once while tables are made: some 60 MB
EVENTS_BYTES = 64 * KIB  # of events read at once: some 1,500; the kernel queues 16,384 unless told otherwise
OVERLAY_FILES = 2_000  # changed files that are searched one by one, some 1.5 ms; above it they are built in
OVERLAY_BYTES = 16 * MIB  # and their text, which is held in memory
NUMBERS_KEPT = 10_000  # places of changed files in an index that are remembered, some 1.5 MB
EXTRACTS_KEPT = 5_000  # what unchanged files say, while changed ones that pass on from them are resolved
NOTICE_MS = 50  # events are gathered so long where a system tells of changes late anyway
NOTICE_WAIT_MS = 500  # how long a listener that is to stop may take to notice
INDEX_BUSY_S = 60.0  # what lies over an index waits so long for another builder to end
JOURNAL_NAMES = 100_000  # that changed since an index was built, some 15 MB; above it every file is looked at
CHECK_S = 2.0  # without a watcher every file is looked at this often at most: 0.15 s for 41,000 files
FRESH_WAIT_S = 0.5  # for a server's word on what changed; looking at every file takes less than twice that
FRESH_REQUEST_BYTES = 4 * KIB  # a key, a number, and room
FRESH_REPLY_BYTES = 4 * MIB  # paths of what changed; where it is more, looking at every file is no dearer
FRESH_CALLERS = 32  # processes a server answers at once
PARSE_S = 2.0  # CPU time for one file: the largest real ones take 0.3 s, broken ones of 100 KiB minutes
PARSE_PIECE_BYTES = 1 * KIB  # handed to a parser at once: how often it is seen whether its time is up
CONFIG_EXTENDS = 32  # settings one tsconfig may extend or refer to: real chains have four
SIGNATURE_CHARS = 200  # of one definition, on one line
DOC_CHARS = 120  # of what is said of it
DOC_LINES = 60  # above a definition, looked at for its comment
NAME_STRIDE = 64  # names from one head to the next: heads are 1/64 of all, and what is left is one page
NAME_PROBES = 4_000  # spellings tried for a name nobody has: some 20 ms; latin names need some hundred
NAME_FUZZY_CHARS = 3  # of a name that is looked for in nearly the same spelling: of two, all are near
NAME_LOOSE = 50_000  # files gathered for a name nobody has: some 20 ms
QUERY_TAKEN = 64  # entries taken at once where some may be gone
INDEX_WORKER_S = 600.0  # without an answer of any process that reads: 256 of the slowest files take less
INDEX_WORKER_POLL_MS = 100  # how soon a build that is to stop notices
INDEX_PART_FILES = 256  # handed to a process at once: some 10 ms of work, and under 1 MB to tell of it
INDEX_HAND_FILES = 32  # read by a builder between two looks at its workers: 1 ms, in which one may be idle
INDEX_WORKER_FILES = 6_000  # below so many files starting processes costs more than they save
INDEX_WORKERS_MAX = 8  # processes that read: more only wait for the disk
INDEX_FETCH_BYTES = 8 * MIB  # of a revision's contents asked of git at once: starting it takes some 5 ms
INDEX_FETCH_FILES = 4_000  # and files, whose ids take 41 bytes each
SYMBOL_FILES = 200  # parsed for one question while the definitions of all files are not on disk yet: some 1 s
SYMBOL_DOCS_KEPT = 256  # changed files whose definitions are remembered
TAG_HEAD_BYTES = 1 * KIB  # of a text in which it says that a program wrote it: such a line stands on top
TAG_LONG_LINE_BYTES = 500  # of a line on average: people break theirs at a fifth of it
TAG_IMPORTS_KEPT = 8_192  # modules whose framework is remembered
TAG_FOLDERS_KEPT = 4_096  # folders whose tags are: files come folder by folder
TAG_CHARS = 60  # of the name of a project's own tag
TAG_RULES = 200  # a project's own tags: each is asked of every file, for 1 us or more
TAG_PATTERNS = 100  # of one of them
QUERY_NAMES_SHOWN = 8  # exported names in a file's line of text; its data has them all
NEEDLE_BYTES = 64  # of a text a match must hold that are looked up: more tell no more
NEEDLE_CHOICES = 16  # texts of which one must be there; where it may be any of more, none is looked up
NEEDLE_SET = 4  # characters of a set that are tried one by one
NEEDLE_TRIGRAMS = 12  # of one text, the rarest: each further one takes longer than it spares
SCAN_WINDOW_BYTES = 1 * MIB  # of the index searched before the time is looked at: 2 ms, for slow patterns 1 s
CHANGED_KEPT = 10_000  # changed files whose names are remembered between questions
PARSE_SMALL_BYTES = 2 * KIB  # handed over whole: broken text of this size takes 0.1 s at worst
GRAPH_FILES = 2_000  # files that export one name, whose importers are gathered
SIMILAR_DEFAULT = 20  # names like one, in one answer
SIMILAR_LOOKED_AT = 500  # names that begin or go on as one does, compared with it
EXPORTED_AT_ONCE = 1_000  # files of a whole index written at once: some 200 KiB
MAP_ROUNDS = 6  # of passing weight along imports: after them the first hundred files change no more
MAP_EDGES = (
    500_000  # imports a map is ranked by, in some 0.5 s; a larger graph is ranked by how many import a file
)
MAP_NAMES = 12  # exported names a map tells of one file
MAP_MISSES = 20  # files in a row that do not fit before a map is full
MAP_FOCUSED = 1_000  # files one focus of a map may stand for
MAP_FOLDERS = 12  # folders a map begins with
LINES_STRIDE_BYTES = 16 * KIB  # of a large file between two places whose line numbers are kept: 6 us to count
SMALL_FILE_BYTES = (
    8 * KIB
)  # a file searched to its end, wherever its candidates are: finding them costs as much
LARGE_FILE_BYTES = 64 * KIB  # a file of which only the part with candidates is copied
HITS_WANTED = 5_000  # who wants so many gets them stretch by stretch, once there are
HITS_FOR_MANY = 500  # so many: before, importing numpy takes longer than it spares
HITS_APART_BYTES = (
    8 * KIB
)  # between two hits on average; where they are further apart each is looked for alone
SLICE_APART_BYTES = 1 * KIB  # likewise, for decoding what lies between them: 0.1 us a KiB, as much as it spares
STRETCH_BYTES = 8 * MIB  # of text whose hits are found at once: some 40 ms where every line is one
HITS_PATHS_KEPT = 100_000  # paths remembered of one index, as text: some 12 MB
HITS_FOR_MANY_AGAIN = 50  # as HITS_FOR_MANY, when numpy is there
LINE_BEGINS_KEPT = 16 * 1024 * 1024  # begins of lines remembered of one index, in 4 bytes each
MAP_TOKENS_MAX = 100_000  # of one map: more is a listing, and longer than a prompt should be
MODULE_ROOTS = 128  # folders Python imports are looked for in, above a file and in other projects: 50 us for one from outside
SIMILAR_FILES = 100  # files with such a name, all of whose names are compared with it
ANCHORS_IN_VAIN = 32  # lines with a pattern's own text and no match, after which RE2 looks at every line
ANCHOR_GAP_BYTES = 1 * KIB  # between two such lines: less, and RE2 is faster without them
SERIES_LEAST = 8  # bytes of one class in a row that are looked for before RE2 is asked: fewer are everywhere
SERIES_WINDOW_BYTES = 128 * KIB  # of text in which classes are told apart at once: it stays in the second cache
MAP_TOKENS = 2_000  # of an overview for a prompt: what a model reads gladly before a task
NAME_HELD = 4_096  # heads held in memory: made in 1 ms, and found at the speed of C
MODULE_WORDS = 32_768  # modules whose last word is remembered: a barrel may name ten thousand
WATCH_S = 0.2  # between two looks at what the kernel told of a watched tree: 4 us each
WATCH_SERVE_S = 2.0  # between two looks whether somebody answers others: not while a folder is removed
WATCHES_ENOUGH = 10_000  # folders that can still be watched without a warning: few trees have more
WATCH_NAMES_SHOWN = 8  # paths in the line that tells of a batch of changes; its JSON has them all
PATHS_KEPT = 100_000  # folders a search at a terminal remembers its verdict on: some 15 MB
SEARCH_FILES_PAGE = 10_000  # files with a match asked of an index at once by a search at a terminal
SEARCH_LOOKED_UP = 200  # files whose place in an index is looked up one by one; then all are listed, in 10 ms
SEARCH_NUDGE_FILES = 5_000  # a tree that a search at a terminal goes through without a word about an index
SEARCH_TOLD = 20  # what a search at a terminal could not read, one by one; the rest is counted
SYMBOLS_ALONE_BYTES = 2 * MIB  # of code parsed without another process: some 0.6 s
SYMBOLS_BATCH = 64  # files between two signs of life


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
SANDBOX_PRIVATE_ENTRIES = 20_000  # of /etc, looked at once by a server that runs as root: real ones have 2,000
SANDBOX_MASK_ENTRIES = 200_000  # looked at for what must be masked: some 0.3 s the first time
SANDBOX_MASK_FOLDERS = 50_000  # remembered, so that the next look is one stat a folder
SANDBOX_SETTLED_S = 2.0  # a folder that changed less than this ago may change again unnoticed: its stamp is coarse
SNAPSHOT_FILE_BYTES = 1 * MIB  # of a protected file that can be put back: real ones stay under 100 KiB
SNAPSHOT_BYTES = 16 * MIB  # and of all that one command could change
SNAPSHOT_ENTRIES = 5_000  # files and folders looked at for it
SNAPSHOT_DEPTH = 32  # folders in folders: hooks and editor settings have three
SNAPSHOTS_KEPT = 2_000  # files whose text is kept between two commands, by their stamps
PROBE_S = 10.0  # for a canary, which takes some 30 ms: a machine that hangs has no sandbox

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
BOOKS_KEPT = 256  # rulebooks with a session's grants laid out: one is made in some 20 us, so few need to be kept
GUESSED_ARGUMENTS = 200  # texts among a stranger's arguments that are looked at as paths: more is no list of files
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
