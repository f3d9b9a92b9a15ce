@echo off
"%~dp0..\cli\node.exe" --no-concurrent-recompilation --no-parallel-scavenge "%~dp0..\cli\dist\cli\jumpseat.js" %*
