"""Every number of the index, with its reason."""

from toolpost.limits import KIB, MIB

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
SLICE_APART_BYTES = (
    1 * KIB
)  # likewise, for decoding what lies between them: 0.1 us a KiB, as much as it spares
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
SERIES_WINDOW_BYTES = (
    128 * KIB
)  # of text in which classes are told apart at once: it stays in the second cache
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
