#!/bin/sh
set -e
app=/opt/Jumpseat

# Chromium's sandbox needs user namespaces. Where the kernel has none for users, its helper needs the rights of root.
if unshare --user true 2>/dev/null && [ "$(cat /proc/sys/kernel/unprivileged_userns_clone 2>/dev/null)" != 0 ]; then
  chmod 0755 "$app/chrome-sandbox"
else
  chmod 4755 "$app/chrome-sandbox"
fi

# Ubuntu has them for programs whose AppArmor profile says so. Versions of AppArmor that can't read it need none.
profile=/etc/apparmor.d/jumpseat-tray
if apparmor_status --enabled >/dev/null 2>&1 &&
  apparmor_parser --skip-kernel-load --skip-cache "$app/resources/apparmor-profile" >/dev/null 2>&1; then
  cp -f "$app/resources/apparmor-profile" "$profile"
  apparmor_parser --replace --write-cache "$profile" >/dev/null 2>&1 || true
fi
