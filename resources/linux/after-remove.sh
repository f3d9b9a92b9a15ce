#!/bin/sh
set -e
# As in before-remove.sh: an update keeps all of this.
if [ "$1" != remove ] && [ "$1" != 0 ]; then
  exit 0
fi
profile=/etc/apparmor.d/jumpseat-tray
if [ -e "$profile" ]; then
  apparmor_parser --remove "$profile" >/dev/null 2>&1 || true
  rm -f "$profile"
fi
# The homes of people are no place for the script of a package.
echo 'Jumpseat is removed. If "jumpseat uninstall" was not run, Claude Code still points to it and gets no answer:'
echo 'delete ANTHROPIC_BASE_URL and ANTHROPIC_AUTH_TOKEN from "env" in ~/.claude/settings.json.'
