"""REST: chat, search, SQL and the commands of the terminal over HTTP, declared once for the routes and for OpenAPI."""
