"""The sentences errors are made of, in English, Spanish and Portuguese. Codes are never translated.

A sentence is named by the rule that was broken. Its blanks are filled from the problem's context, and
`{parameter}` with the parameter in the caller's own spelling.
"""

from collections.abc import Mapping
from typing import Any

from toolpost.problem import Problem

LANGUAGES = ("en", "es", "pt")

SENTENCES: dict[str, dict[str, str]] = {
    "enum": {
        "en": "{parameter} must be one of {allowed}; it was {provided_value}.",
        "es": "{parameter} debe ser uno de {allowed}; era {provided_value}.",
        "pt": "{parameter} deve ser um de {allowed}; era {provided_value}.",
    },
    "const": {
        "en": "{parameter} must be {allowed}; it was {provided_value}.",
        "es": "{parameter} debe ser {allowed}; era {provided_value}.",
        "pt": "{parameter} deve ser {allowed}; era {provided_value}.",
    },
    "type": {
        "en": "{parameter} must be of type {expected}; it was {provided_value}.",
        "es": "{parameter} debe ser de tipo {expected}; era {provided_value}.",
        "pt": "{parameter} deve ser do tipo {expected}; era {provided_value}.",
    },
    "minimum": {
        "en": "{parameter} must be at least {limit}; it was {provided_value}.",
        "es": "{parameter} debe ser como mínimo {limit}; era {provided_value}.",
        "pt": "{parameter} deve ser no mínimo {limit}; era {provided_value}.",
    },
    "maximum": {
        "en": "{parameter} must be at most {limit}; it was {provided_value}.",
        "es": "{parameter} debe ser como máximo {limit}; era {provided_value}.",
        "pt": "{parameter} deve ser no máximo {limit}; era {provided_value}.",
    },
    "exclusiveMinimum": {
        "en": "{parameter} must be greater than {limit}; it was {provided_value}.",
        "es": "{parameter} debe ser mayor que {limit}; era {provided_value}.",
        "pt": "{parameter} deve ser maior que {limit}; era {provided_value}.",
    },
    "exclusiveMaximum": {
        "en": "{parameter} must be less than {limit}; it was {provided_value}.",
        "es": "{parameter} debe ser menor que {limit}; era {provided_value}.",
        "pt": "{parameter} deve ser menor que {limit}; era {provided_value}.",
    },
    "multipleOf": {
        "en": "{parameter} must be a multiple of {limit}; it was {provided_value}.",
        "es": "{parameter} debe ser múltiplo de {limit}; era {provided_value}.",
        "pt": "{parameter} deve ser múltiplo de {limit}; era {provided_value}.",
    },
    "minLength": {
        "en": "{parameter} must have at least {limit} characters; it was {provided_value}.",
        "es": "{parameter} debe tener al menos {limit} caracteres; era {provided_value}.",
        "pt": "{parameter} deve ter pelo menos {limit} caracteres; era {provided_value}.",
    },
    "maxLength": {
        "en": "{parameter} must have at most {limit} characters; it was {provided_value}.",
        "es": "{parameter} debe tener como máximo {limit} caracteres; era {provided_value}.",
        "pt": "{parameter} deve ter no máximo {limit} caracteres; era {provided_value}.",
    },
    "minItems": {
        "en": "{parameter} must have at least {limit} items.",
        "es": "{parameter} debe tener al menos {limit} elementos.",
        "pt": "{parameter} deve ter pelo menos {limit} itens.",
    },
    "maxItems": {
        "en": "{parameter} must have at most {limit} items.",
        "es": "{parameter} debe tener como máximo {limit} elementos.",
        "pt": "{parameter} deve ter no máximo {limit} itens.",
    },
    "pattern": {
        "en": "{parameter} must match {pattern}; it was {provided_value}.",
        "es": "{parameter} debe coincidir con {pattern}; era {provided_value}.",
        "pt": "{parameter} deve corresponder a {pattern}; era {provided_value}.",
    },
    "format": {
        "en": "{parameter} must be a valid {format}; it was {provided_value}.",
        "es": "{parameter} debe ser un valor válido de {format}; era {provided_value}.",
        "pt": "{parameter} deve ser um valor válido de {format}; era {provided_value}.",
    },
    "format:email": {
        "en": "Email address format is invalid",
        "es": "El formato de la dirección de correo no es válido",
        "pt": "O formato do endereço de e-mail é inválido",
    },
    "required": {
        "en": "{parameter} is required and was not given.",
        "es": "{parameter} es obligatorio y no se indicó.",
        "pt": "{parameter} é obrigatório e não foi informado.",
    },
    "additionalProperties": {
        "en": "{parameter} is not a parameter here; known are {known}.",
        "es": "{parameter} no es un parámetro aquí; los conocidos son {known}.",
        "pt": "{parameter} não é um parâmetro aqui; os conhecidos são {known}.",
    },
    "schema": {
        "en": "{parameter} does not pass the tool's schema: {why}.",
        "es": "{parameter} no cumple el esquema de la herramienta: {why}.",
        "pt": "{parameter} não cumpre o esquema da ferramenta: {why}.",
    },
}

TITLES: dict[str, dict[str, str]] = {
    "INVALID_ARGUMENT": {"es": "Error de validación", "pt": "Erro de validação"},
    "MALFORMED_MESSAGE": {"es": "Mensaje mal formado", "pt": "Mensagem malformada"},
    "UNKNOWN_PARAMETER": {"es": "Parámetro desconocido", "pt": "Parâmetro desconhecido"},
    "MISSING_PARAMETER": {"es": "Falta un parámetro", "pt": "Falta um parâmetro"},
    "MISSING_VALUE": {"es": "Falta el valor", "pt": "Falta o valor"},
    "INVALID_QUERY_TYPE": {"es": "Tipo de consulta no válido", "pt": "Tipo de consulta inválido"},
    "LIMIT_EXCEEDED": {"es": "Límite excedido", "pt": "Limite excedido"},
    "INVALID_PATH": {"es": "Ruta no válida", "pt": "Caminho inválido"},
    "INVALID_DIRECTORY": {"es": "Directorio no válido", "pt": "Diretório inválido"},
    "FILE_TOO_LARGE": {"es": "Archivo demasiado grande", "pt": "Arquivo grande demais"},
    "NOT_A_FILE": {"es": "No es un archivo", "pt": "Não é um arquivo"},
    "ALREADY_EXISTS": {"es": "Ya existe", "pt": "Já existe"},
    "NOT_TEXT": {"es": "No es texto", "pt": "Não é texto"},
    "STALE_FILE": {"es": "Archivo desactualizado", "pt": "Arquivo desatualizado"},
    "EDIT_NOT_FOUND": {"es": "Texto no encontrado", "pt": "Texto não encontrado"},
    "EDIT_AMBIGUOUS": {"es": "Texto encontrado más de una vez", "pt": "Texto encontrado mais de uma vez"},
    "BAD_PATCH": {"es": "El parche no se aplica", "pt": "O patch não se aplica"},
    "READ_ONLY": {"es": "Solo lectura", "pt": "Somente leitura"},
    "IO_FAILED": {"es": "El sistema lo rechazó", "pt": "O sistema recusou"},
    "GIT_FAILED": {"es": "Git falló", "pt": "O git falhou"},
    "REMOTE_FAILED": {"es": "El repositorio remoto falló", "pt": "O repositório remoto falhou"},
    "RATE_LIMITED": {"es": "Límite de peticiones", "pt": "Limite de requisições"},
    "INVALID_DATE": {"es": "Fecha no válida", "pt": "Data inválida"},
    "INVALID_ROUTE": {"es": "Ruta de viaje no válida", "pt": "Rota inválida"},
    "BUSINESS_RULE": {"es": "Regla de negocio", "pt": "Regra de negócio"},
    "AUTHENTICATION_REQUIRED": {"es": "Se requiere autenticación", "pt": "Autenticação necessária"},
    "DENIED": {"es": "Permiso denegado", "pt": "Permissão negada"},
    "NEEDS_APPROVAL": {"es": "Se necesita aprobación", "pt": "Aprovação necessária"},
    "SANDBOX_UNAVAILABLE": {"es": "Entorno aislado no disponible", "pt": "Ambiente isolado indisponível"},
    "POLICY_VIOLATION": {"es": "Infracción de la política", "pt": "Violação da política"},
    "NOT_FOUND": {"es": "No encontrado", "pt": "Não encontrado"},
    "TOOL_NOT_FOUND": {"es": "Herramienta no encontrada", "pt": "Ferramenta não encontrada"},
    "FILE_NOT_FOUND": {"es": "Archivo no encontrado", "pt": "Arquivo não encontrado"},
    "DIRECTORY_NOT_FOUND": {"es": "Directorio no encontrado", "pt": "Diretório não encontrado"},
    "BUDGET_EXCEEDED": {"es": "Presupuesto agotado", "pt": "Orçamento esgotado"},
    "READ_BUDGET_EXCEEDED": {"es": "Presupuesto de lectura agotado", "pt": "Orçamento de leitura esgotado"},
    "LIST_BUDGET_EXCEEDED": {
        "es": "Presupuesto de listados agotado",
        "pt": "Orçamento de listagens esgotado",
    },
    "TIMEOUT": {"es": "Tiempo agotado", "pt": "Tempo esgotado"},
    "CANCELLED": {"es": "Cancelado", "pt": "Cancelado"},
    "NOT_CONFIGURED": {"es": "Sin configurar", "pt": "Não configurado"},
    "NO_CONNECTION": {"es": "Sin conexión", "pt": "Sem conexão"},
    "TOOL_FAILED": {"es": "La herramienta falló", "pt": "A ferramenta falhou"},
    "INVALID_OUTPUT": {"es": "Salida no válida", "pt": "Saída inválida"},
    "RECORD_FAILED": {"es": "No se pudo registrar", "pt": "Não foi possível registrar"},
    "INTERNAL_ERROR": {"es": "Error interno", "pt": "Erro interno"},
    "BAD_TOOL": {"es": "Definición de herramienta no válida", "pt": "Definição de ferramenta inválida"},
    "TOOL_ERROR": {"es": "Error de la herramienta", "pt": "Erro da ferramenta"},
}


def rule_of(rule: str, facts: Mapping[str, Any]) -> str:
    """The sentence for a broken schema rule: its own, its format's own, or the general one."""
    own = f"{rule}:{facts.get('format', '')}"
    if own in SENTENCES:
        return own
    if rule in {"anyOf", "oneOf"} and "expected" in facts:
        return "type"
    return rule if rule in SENTENCES else "schema"


def rule_title(rule: str, facts: Mapping[str, Any]) -> str:
    return f"Invalid {facts['format'].title()} Format" if rule == "format" else ""


def title(problem: Problem, language: str = "en") -> str:
    return TITLES.get(problem.code, {}).get(language, problem.title)


def detail(problem: Problem, said: str | None, language: str = "en") -> str:
    """The detail with the parameter in the caller's spelling; free text stays as it was written."""
    sentence = SENTENCES.get(problem.sentence)
    if sentence is None:
        return problem.detail
    return fill(sentence.get(language, sentence["en"]), said, problem.context)


def fill(sentence: str, parameter: str | None, context: Mapping[str, Any]) -> str:
    shown = {key: str(value) if key in _SAID_PLAINLY else _show(value) for key, value in context.items()}
    return sentence.format_map(_Blanks(shown, parameter=parameter or "input"))


class _Blanks(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return "?"


_SAID_PLAINLY = {"expected", "format", "why"}
_JSON_WORDS = {None: "null", True: "true", False: "false"}


def _show(value: Any) -> str:
    """A value as its sender wrote it; texts in quotes, so that an empty one is seen."""
    if isinstance(value, list | tuple):
        return ", ".join(_show(item) for item in value)
    if value is None or isinstance(value, bool):
        return _JSON_WORDS[value]
    return repr(value) if isinstance(value, str) else str(value)
