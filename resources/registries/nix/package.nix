{
  lib,
  stdenvNoCC,
  fetchurl,
  libsecret,
  makeWrapper,
  nodejs_24,
}:

stdenvNoCC.mkDerivation (finalAttrs: {
  pname = "jumpseat";
  version = "{{version}}";

  src = fetchurl {
    url = "https://github.com/{{repository}}/releases/download/v${finalAttrs.version}/{{file .tgz}}";
    hash = "{{sri .tgz}}";
  };

  nativeBuildInputs = [ makeWrapper ];

  # Everything is bundled, but keytar, which is packed with its binaries.
  dontConfigure = true;
  dontBuild = true;

  installPhase = ''
    runHook preInstall
    mkdir -p $out/lib
    cp -r . $out/lib/jumpseat
    makeWrapper ${lib.getExe nodejs_24} $out/bin/jumpseat \
      --add-flags $out/lib/jumpseat/dist/cli/jumpseat.js \
      ${lib.optionalString stdenvNoCC.hostPlatform.isLinux ''
        --prefix LD_LIBRARY_PATH : ${lib.makeLibraryPath [ libsecret ]}
      ''}
    runHook postInstall
  '';

  meta = {
    description = "Claude Code on your GitHub Copilot subscription, in a terminal";
    homepage = "https://jumpseat.app";
    license = lib.licenses.mit;
    mainProgram = "jumpseat";
    platforms = [
      "x86_64-linux"
      "aarch64-linux"
      "x86_64-darwin"
      "aarch64-darwin"
    ];
    sourceProvenance = [
      lib.sourceTypes.binaryBytecode
      lib.sourceTypes.binaryNativeCode
    ];
  };
})
