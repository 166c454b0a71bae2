"""HTTP for every slice: endpoints, requests and responses, security, limits, OpenAPI."""
