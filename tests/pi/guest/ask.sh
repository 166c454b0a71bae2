#!/usr/bin/env -S timeout 30 bash
# Asks the page as a browser on the Pi itself does: ask /api/settings, ask /api/demo '{...}'.
#
# A request with a body is a POST. It prints the response, and fails with its text if it is an error.
# The environment's PAGE is the address of another machine. Python would take a second to start.

LC_ALL=C # a length is in bytes
host=${PAGE:-127.0.0.1}
method=$([ $# -gt 1 ] && echo POST || echo GET)
exec 3<>"/dev/tcp/$host/8000" || exit
printf '%s\r\n' "$method $1 HTTP/1.1" "Host: $host:8000" "Connection: close" \
    "Content-Type: application/json" "Content-Length: ${#2}" "" >&3
printf '%s' "$2" >&3
read -r _ status _ <&3
while read -r line <&3 && [ "$line" != $'\r' ]; do :; done
[[ $status = 2* ]] || echo -n "${status:-no answer}: "
cat <&3
echo
[[ $status = 2* ]]
