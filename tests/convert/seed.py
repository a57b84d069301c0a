"""The tool templates and error objects of the ATDF specification, word for word."""

from toolpost.convert.wire import JsonObject

MINIMAL: JsonObject = {
    "tools": [
        {
            "name": "string",
            "description": "string",
            "inputSchema": {"type": "object", "properties": {}, "required": []},
        }
    ]
}
FULL: JsonObject = {
    "tools": [
        {
            "name": "nombre_herramienta",
            "description": "Descripción clara de lo que hace la herramienta",
            "version": "1.0.0",
            "tags": ["categoria1", "categoria2"],
            "inputSchema": {
                "type": "object",
                "properties": {
                    "parametro1": {
                        "type": "string",
                        "description": "Descripción del parámetro",
                        "minLength": 1,
                    },
                    "parametro2": {
                        "type": "integer",
                        "minimum": 1,
                        "maximum": 100,
                        "description": "Descripción del parámetro",
                    },
                },
                "required": ["parametro1", "parametro2"],
            },
            "examples": [
                {"name": "Ejemplo básico", "input": {"parametro1": "valor_ejemplo", "parametro2": 10}}
            ],
        }
    ]
}
HOTEL: JsonObject = {
    "tools": [
        {
            "name": "hotel_reservation",
            "description": "Make a hotel reservation with validation and ATDF error handling",
            "version": "1.0.0",
            "tags": ["travel", "booking", "hotel"],
            "inputSchema": {
                "type": "object",
                "properties": {
                    "guest_name": {"type": "string", "description": "Full name of the guest", "minLength": 1},
                    "email": {"type": "string", "format": "email", "description": "Guest email address"},
                    "check_in": {
                        "type": "string",
                        "format": "date-time",
                        "description": "Check-in date and time",
                    },
                    "check_out": {
                        "type": "string",
                        "format": "date-time",
                        "description": "Check-out date and time",
                    },
                    "room_type": {
                        "type": "string",
                        "enum": ["single", "double", "suite"],
                        "description": "Type of room",
                    },
                    "guests": {
                        "type": "integer",
                        "minimum": 1,
                        "maximum": 4,
                        "description": "Number of guests",
                    },
                },
                "required": ["guest_name", "email", "check_in", "check_out", "room_type", "guests"],
            },
            "examples": [
                {
                    "name": "Basic reservation",
                    "input": {
                        "guest_name": "John Doe",
                        "email": "john.doe@example.com",
                        "check_in": "2025-01-15T14:00:00Z",
                        "check_out": "2025-01-17T12:00:00Z",
                        "room_type": "double",
                        "guests": 2,
                    },
                }
            ],
        }
    ]
}
VALIDATE: JsonObject = {
    "tools": [
        {
            "name": "validate_data",
            "description": "Validate input data against schema",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "data": {"type": "object", "description": "Data to validate"},
                    "schema": {"type": "object", "description": "JSON Schema for validation"},
                },
                "required": ["data", "schema"],
            },
        }
    ]
}
SEARCH: JsonObject = {
    "tools": [
        {
            "name": "search_database",
            "description": "Search database with filters",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "query": {"type": "string", "description": "Search query"},
                    "filters": {"type": "object", "description": "Search filters"},
                    "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 10},
                },
                "required": ["query"],
            },
        }
    ]
}
TEMPLATES: dict[str, JsonObject] = {
    "minimal": MINIMAL,
    "full": FULL,
    "hotel_reservation": HOTEL,
    "validate_data": VALIDATE,
    "search_database": SEARCH,
}

PLACEHOLDER: JsonObject = {
    "type": "string",
    "title": "string",
    "detail": "string",
    "instance": "string",
    "tool_name": "string",
    "parameter_name": "string",
    "suggested_value": "string|null",
    "context": "object",
}
INVALID_DATE: JsonObject = {
    "type": "https://api.example.com/errors/invalid-date",
    "title": "Invalid Check-in Date",
    "detail": "Check-in date cannot be in the past",
    "instance": "/api/errors/e62aa61e-d844-4761-82c3-531a070fb139",
    "tool_name": "hotel_reservation",
    "parameter_name": "check_in",
    "suggested_value": "2025-01-15T12:00:17.148869",
    "context": {"current_time": "2025-01-15T12:00:17.148869", "provided_date": "2025-01-14T10:00:00Z"},
}
ERRORS: list[JsonObject] = [
    {
        "type": "https://api.example.com/errors/tipo-error",
        "title": "Título del Error",
        "detail": "Descripción detallada del problema",
        "instance": "/api/errors/uuid-unico",
        "tool_name": "nombre_herramienta",
        "parameter_name": "parametro_problematico",
        "suggested_value": "valor_sugerido",
        "context": {"informacion_adicional": "valor", "timestamp": "2025-01-15T12:00:00Z"},
    },
    INVALID_DATE,
    INVALID_DATE,
    {
        "type": "https://api.example.com/errors/validation-error",
        "title": "Invalid Email Format",
        "detail": "Email address format is invalid",
        "instance": "/api/errors/f73bb62f-e955-4872-93d4-642181082240",
        "tool_name": "hotel_reservation",
        "parameter_name": "email",
        "suggested_value": "john.doe@example.com",
        "context": {"provided_value": "invalid-email", "validation_rule": "email_format"},
    },
    {
        "type": "https://api.example.com/errors/business-rule",
        "title": "Room Not Available",
        "detail": "Selected room type is not available for the requested dates",
        "instance": "/api/errors/g84cc73g-f066-5983-04e5-753292193351",
        "tool_name": "hotel_reservation",
        "parameter_name": "room_type",
        "suggested_value": "single",
        "context": {
            "requested_room_type": "suite",
            "available_room_types": ["single", "double"],
            "check_in": "2025-01-15T14:00:00Z",
            "check_out": "2025-01-17T12:00:00Z",
        },
    },
    {
        "type": "https://api.example.com/errors/authentication",
        "title": "Authentication Required",
        "detail": "Valid authentication credentials are required to access this resource",
        "instance": "/api/errors/h95dd84h-g177-6094-15f6-864403304462",
        "tool_name": "hotel_reservation",
        "parameter_name": "authentication",
        "suggested_value": None,
        "context": {
            "required_scope": "hotel:write",
            "provided_scope": "hotel:read",
            "authentication_method": "bearer_token",
        },
    },
    {
        "type": "https://api.example.com/errors/validation-error",
        "title": "Validation Error",
        "detail": "Parameter validation failed",
        "instance": "/api/errors/{uuid}",
        "tool_name": "tool_name",
        "parameter_name": "invalid_parameter",
        "suggested_value": "correct_value",
        "context": {"validation_errors": ["error1", "error2"], "timestamp": "2025-01-15T12:00:00Z"},
    },
]
