"""HTTP for all endpoints: requests, responses, streams, security, limits, OpenAPI."""
