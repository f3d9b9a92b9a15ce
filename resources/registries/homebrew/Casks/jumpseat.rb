cask "jumpseat" do
  arch arm: "arm64", intel: "x64"

  version "{{version}}"
  sha256 arm:   "{{sha256 -mac-arm64.dmg}}",
         intel: "{{sha256 -mac-x64.dmg}}"

  url "https://github.com/{{repository}}/releases/download/v#{version}/Jumpseat-#{version}-mac-#{arch}.dmg"
  name "Jumpseat"
  desc "Claude Code on a GitHub Copilot subscription"
  homepage "https://jumpseat.app/"

  livecheck do
    url :url
    strategy :github_latest
  end

  auto_updates true

  app "Jumpseat.app"
  binary "#{appdir}/Jumpseat.app/Contents/Resources/bin/jumpseat"

  uninstall quit: "app.jumpseat.Jumpseat"

  zap trash: [
    "~/Library/Application Support/Jumpseat",
    "~/Library/Caches/Jumpseat",
    "~/Library/Preferences/app.jumpseat.Jumpseat.plist",
  ]

  caveats <<~EOS
    Before you uninstall it, undo what it set up under Clients. Otherwise Claude Code keeps pointing at Jumpseat.
  EOS
end
