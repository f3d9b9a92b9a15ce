; The command `jumpseat` in the user's Path. An update installs over the old version, and leaves it there.
!macro jumpseatPath OPTION
  nsExec::Exec `"$SYSDIR\WindowsPowerShell\v1.0\powershell.exe" -NoProfile -NonInteractive -ExecutionPolicy Bypass -File "$INSTDIR\resources\bin\path.ps1" -Folder "$INSTDIR\resources\bin" ${OPTION}`
  Pop $0
!macroend

!macro customInstall
  !insertmacro jumpseatPath ""
!macroend

!macro customUnInstall
  ${ifNot} ${isUpdated}
    !insertmacro jumpseatPath "-Remove"
    ; "Open at login", by the id that the app gives itself, and what Windows' settings keep of it.
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "app.jumpseat.Jumpseat"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "app.jumpseat.Jumpseat"
    ; The homes of people are no place for an installer's script.
    MessageBox MB_OK|MB_ICONINFORMATION `Jumpseat is removed. If "jumpseat uninstall" was not run, Claude Code still points to it and gets no answer: delete ANTHROPIC_BASE_URL and ANTHROPIC_AUTH_TOKEN from "env" in %USERPROFILE%\.claude\settings.json.` /SD IDOK
  ${endIf}
!macroend
