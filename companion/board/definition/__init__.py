"""Board definitions: TOML files read, validated and checked for manufacture."""
