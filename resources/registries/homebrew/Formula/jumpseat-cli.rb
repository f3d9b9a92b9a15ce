class JumpseatCli < Formula
  desc "Claude Code on a GitHub Copilot subscription, in a terminal"
  homepage "https://jumpseat.app/"
  url "{{url .tgz}}"
  sha256 "{{sha256 .tgz}}"
  license "MIT"

  depends_on "node"

  on_linux do
    depends_on "libsecret"
  end

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
  end

  service do
    run [opt_bin/"jumpseat", "serve"]
    keep_alive successful_exit: false
  end

  def caveats
    <<~EOS
      Before you uninstall it, run "jumpseat uninstall". Otherwise Claude Code keeps pointing at Jumpseat.
    EOS
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/jumpseat --version")
  end
end
