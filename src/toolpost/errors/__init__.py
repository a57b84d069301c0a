"""Every way a call can fail, as a tree. A tool raises; a dialect decides how it looks.

ToolError                     what went wrong, in a form the caller can act on
├── Several                   more than one of the others at once
├── InvalidArgument           the arguments: correct them and send again
│   ├── MalformedMessage      the message itself could not be read
│   ├── UnknownParameter      a name the tool does not have
│   ├── MissingParameter      a name the tool must have
│   ├── MissingValue          contract 001: a query without its value
│   ├── InvalidQueryType      contract 001: a query of no known type
│   ├── LimitExceeded         contract 001: more asked for than the tool gives
│   ├── InvalidPath           outside the root, absolute, or no path at all
│   ├── InvalidDirectory      the same, for a directory
│   ├── FileTooLarge          larger than can be answered
│   ├── NotAFile              a FIFO, a device, a folder
│   ├── FileExists            something is already there
│   ├── NotText               binary where text is needed
│   ├── StaleFile             changed since it was read
│   ├── EditNotFound          the text to replace is not there
│   ├── EditAmbiguous         it is there more than once
│   ├── BadPatch              a patch that does not apply
│   ├── InvalidDate           a date that cannot be, such as one in the past
│   └── InvalidRoute          an origin that is its own destination
├── BusinessRule              well-formed, but the world says no
├── Unauthenticated           credentials missing or not enough
├── Denied                    not permitted
│   ├── ReadOnly              a root that cannot be written to
│   ├── NeedsApproval         nobody was there to ask
│   └── PolicyViolation       a policy asks for something first
├── NotFound                  what was named is not there
│   ├── ToolNotFound
│   ├── FileNotFound
│   └── DirectoryNotFound
├── BudgetExceeded            a budget is spent
│   ├── ReadBudgetExceeded
│   └── ListBudgetExceeded
├── TimedOut                  took longer than allowed
├── Cancelled                 stopped by whoever asked
├── NotConfigured             a setting is missing
├── SandboxUnavailable        no sandbox to run the command in
├── NoConnection              no repository is connected
├── IoFailed                  the system refused: a full disk, a broken device
├── GitFailed                 git itself refused
├── RemoteFailed              the remote repository answered with an error
│   └── RateLimited           it asks to wait
├── ToolFailed                the tool broke
│   ├── InvalidOutput         the tool answered what its own schema forbids
│   └── RecordFailed          the call ran, but could not be recorded
├── Broken                    toolpost itself broke
└── BadTool                   a definition that cannot be registered
"""

from toolpost.errors.access import BudgetExceeded as BudgetExceeded
from toolpost.errors.access import BusinessRule as BusinessRule
from toolpost.errors.access import Denied as Denied
from toolpost.errors.access import ListBudgetExceeded as ListBudgetExceeded
from toolpost.errors.access import NeedsApproval as NeedsApproval
from toolpost.errors.access import NotFound as NotFound
from toolpost.errors.access import PolicyViolation as PolicyViolation
from toolpost.errors.access import ReadBudgetExceeded as ReadBudgetExceeded
from toolpost.errors.access import SandboxUnavailable as SandboxUnavailable
from toolpost.errors.access import ToolNotFound as ToolNotFound
from toolpost.errors.access import Unauthenticated as Unauthenticated
from toolpost.errors.arguments import InvalidArgument as InvalidArgument
from toolpost.errors.arguments import InvalidDate as InvalidDate
from toolpost.errors.arguments import InvalidQueryType as InvalidQueryType
from toolpost.errors.arguments import InvalidRoute as InvalidRoute
from toolpost.errors.arguments import LimitExceeded as LimitExceeded
from toolpost.errors.arguments import MalformedMessage as MalformedMessage
from toolpost.errors.arguments import MissingParameter as MissingParameter
from toolpost.errors.arguments import MissingValue as MissingValue
from toolpost.errors.arguments import UnknownParameter as UnknownParameter
from toolpost.errors.files import BadPatch as BadPatch
from toolpost.errors.files import DirectoryNotFound as DirectoryNotFound
from toolpost.errors.files import EditAmbiguous as EditAmbiguous
from toolpost.errors.files import EditNotFound as EditNotFound
from toolpost.errors.files import FileExists as FileExists
from toolpost.errors.files import FileNotFound as FileNotFound
from toolpost.errors.files import FileTooLarge as FileTooLarge
from toolpost.errors.files import GitFailed as GitFailed
from toolpost.errors.files import InvalidDirectory as InvalidDirectory
from toolpost.errors.files import InvalidPath as InvalidPath
from toolpost.errors.files import IoFailed as IoFailed
from toolpost.errors.files import NotAFile as NotAFile
from toolpost.errors.files import NotText as NotText
from toolpost.errors.files import RateLimited as RateLimited
from toolpost.errors.files import ReadOnly as ReadOnly
from toolpost.errors.files import RemoteFailed as RemoteFailed
from toolpost.errors.files import StaleFile as StaleFile
from toolpost.errors.running import BadTool as BadTool
from toolpost.errors.running import Broken as Broken
from toolpost.errors.running import Cancelled as Cancelled
from toolpost.errors.running import InvalidOutput as InvalidOutput
from toolpost.errors.running import NoConnection as NoConnection
from toolpost.errors.running import NotConfigured as NotConfigured
from toolpost.errors.running import RecordFailed as RecordFailed
from toolpost.errors.running import TimedOut as TimedOut
from toolpost.errors.running import ToolFailed as ToolFailed
from toolpost.errors.tree import Several as Several
from toolpost.errors.tree import ToolError as ToolError
from toolpost.errors.tree import every_error as every_error
from toolpost.errors.tree import named as named
