# The folder of the command `jumpseat` in the user's Path: put there by the installer, and taken out with -Remove.
# The value is read and written as it stands: %USERPROFILE% in another entry stays one. NSIS itself cuts long values.
param([Parameter(Mandatory)][string]$Folder, [switch]$Remove)
$ErrorActionPreference = 'Stop'
$key = [Microsoft.Win32.Registry]::CurrentUser.OpenSubKey('Environment', $true)
$before = [string]$key.GetValue('Path', '', 'DoNotExpandEnvironmentNames')
$entries = @($before -split ';' | Where-Object { $_ -ne '' -and $_.TrimEnd('\') -ne $Folder })
if (-not $Remove) { $entries += $Folder }
$after = $entries -join ';'
if ($after -cne $before) {
  $key.SetValue('Path', $after, 'ExpandString')
  # Programs that start from now on see it: each change of a variable by this call is broadcast.
  [Environment]::SetEnvironmentVariable('JUMPSEAT_PATH_CHANGED', $null, 'User')
}
