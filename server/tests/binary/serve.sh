# Sourced by the other scripts: a server of the given binary on a free port, in a temporary folder.
#
#   begin BINARY     sets the folder, the address, and the credentials of the first admin
#   serve [SETTING…] starts the server, and waits until it is ready
#   stop             stops it, and returns its exit code

set -euo pipefail
export PYTHONDONTWRITEBYTECODE=1
exec </dev/null

begin() {
    binary="$(realpath "$1")"
    folder="$(mktemp -d)"
    port="$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')"
    export QUOTIENT_URL="http://127.0.0.1:$port"
    export QUOTIENT_LISTEN="127.0.0.1:$port"
    export QUOTIENT_DATABASE="$folder/store.db"
    export QUOTIENT_ADMIN_EMAIL="admin@example.com"
    export QUOTIENT_ADMIN_PASSWORD="a password of the tests"
    server=""
    trap finish EXIT
}

finish() {
    [[ -z "$server" ]] || kill -9 "$server" 2>/dev/null || true
    rm -rf "$folder"
}

serve() {
    local attempt
    (cd "$folder" && exec "$binary" "$@") >"$folder/log" 2>&1 &
    server=$!
    for attempt in $(seq 3000); do
        curl --silent --fail --output /dev/null "$QUOTIENT_URL/health/ready" && return 0
        kill -0 "$server" 2>/dev/null || break
        sleep 0.1
    done
    echo "the server does not answer after $attempt attempts:"
    cat "$folder/log"
    return 1
}

stop() {
    local code=0
    kill -TERM "$server"
    wait "$server" || code=$?
    server=""
    return "$code"
}
