#!/bin/sh
set -e
# "remove" is Debian's word, 0 is rpm's: no other version takes this one's place.
if [ "$1" = remove ] || [ "$1" = 0 ]; then
  echo 'Jumpseat: If Claude Code is set up for it, run "jumpseat uninstall" as your user before you remove the package.'
fi
