"""What the dialects that speak JSON-RPC share: one method, and protocol errors for what is no call of it."""

from abc import abstractmethod
from typing import Any, ClassVar

from toolpost import jsonrpc
from toolpost.call import Call
from toolpost.dialects import Dialect
from toolpost.errors import MalformedMessage
from toolpost.limits import ECHO_CHARS
from toolpost.result import Result


class RpcDialect(Dialect):
    METHOD: ClassVar[str]

    def read(self, value: Any) -> Call:
        request = jsonrpc.read(value)
        if isinstance(request, jsonrpc.Fault):
            return self.refused(request.message, request.code, request.id)
        if request.method != self.METHOD:
            missing = f"Method not found: {request.method[:ECHO_CHARS]}"
            return self.refused(missing, jsonrpc.METHOD_NOT_FOUND, request.id)
        return self.use(request)

    @abstractmethod
    def use(self, request: jsonrpc.Request) -> Call:
        """The call a request makes. Its `form` is set: a call without one was none."""

    def refused(self, why: str, code: int, ident: jsonrpc.Id) -> Call:
        error = MalformedMessage(why, rpc_code=code)
        return self.vocabulary.faulty(error, Call(tool="", reply_to=ident, language=self.language))

    def render(self, result: Result) -> Any:
        """A tool's failure is a result; only a message that is no call is a protocol error."""
        call = result.call
        if result.problems and not call.form:
            problem = result.problems[0]
            code = problem.context.get("rpc_code", jsonrpc.PARSE_ERROR)
            return jsonrpc.failure(call.reply_to, code, problem.detail)
        return self.answer(result)

    @abstractmethod
    def answer(self, result: Result) -> Any:
        """The message that answers a call."""
