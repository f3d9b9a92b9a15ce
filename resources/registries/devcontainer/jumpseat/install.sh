#!/bin/sh
# Jumpseat's command for everybody in the container. It needs the Node 24 of an image or of a feature before this one.
set -eu
node -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 24 ? 0 : 1)' 2>/dev/null || {
  echo "Jumpseat needs Node 24 or newer: take an image with it, or ghcr.io/devcontainers/features/node before it." >&2
  exit 1
}
package=$(mktemp --suffix=.tgz)
trap 'rm -f "$package"' EXIT
# shellcheck disable=SC2016 # JavaScript
node -e '
  const { createHash } = require("node:crypto");
  fetch(process.argv[1]).then(async (answer) => {
    const bytes = Buffer.from(await answer.arrayBuffer());
    const hash = createHash("sha256").update(bytes).digest("hex");
    if (!answer.ok || hash !== process.argv[2]) throw new Error(`${answer.url} is not what was published.`);
    require("node:fs").writeFileSync(process.argv[3], bytes);
  }).catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
' "${JUMPSEAT_PACKAGE:-{{url .tgz}}}" "{{sha256 .tgz}}" "$package"
npm install --global --ignore-scripts --no-audit --no-fund --offline "$package"
jumpseat --version

# Where the socket's folder of the machine is mounted, 127.0.0.1 in the container leads to the Jumpseat there.
mkdir -p /usr/local/share/jumpseat
cat > /usr/local/share/jumpseat/forward.sh << 'END'
#!/bin/sh
if [ -d "$(dirname "${JUMPSEAT_SOCKET:-/run/jumpseat/jumpseat.sock}")" ]; then
  nohup jumpseat forward > /tmp/jumpseat-forward.log 2>&1 &
fi
exec "$@"
END
chmod 755 /usr/local/share/jumpseat/forward.sh
