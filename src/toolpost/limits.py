"""Every default and limit, once, each naming its source. Code says the name, never the number."""

from msgspec import Struct

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

# Contract 000.
INLINE_LOG_BYTES = 10 * KIB  # above it a record keeps a head and the length

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
    component: dict[str, int] = {}
