/**
 * The packages of Debian, by the programs that they have under another name, and `git`, which this program
 * itself runs: no package list is asked for it.
 */
export const debianPackages: ReadonlyMap<string, string> = named(`
git git; rg ripgrep; fdfind fd-find; ag silversearcher-ag; convert imagemagick; identify imagemagick; mogrify imagemagick; magick imagemagick; pdftotext poppler-utils;
pdftoppm poppler-utils; pdfinfo poppler-utils; ffprobe ffmpeg; ffplay ffmpeg; http httpie; dig dnsutils; nslookup dnsutils; host bind9-host;
ifconfig net-tools; netstat net-tools; route net-tools; ip iproute2; ss iproute2; ping iputils-ping; traceroute traceroute; nc netcat-openbsd;
cc gcc; c++ g++; python python-is-python3; pip python3-pip; pip3 python3-pip; pytest python3-pytest; pydoc3 python3; node nodejs;
java default-jre-headless; javac default-jdk-headless; go golang-go; rustc rustc; psql postgresql-client; pg_dump postgresql-client; mysql default-mysql-client;
redis-cli redis-tools; bwrap bubblewrap; script bsdutils; xmllint libxml2-utils; xsltproc xsltproc; exiftool libimage-exiftool-perl; gs ghostscript;
soffice libreoffice-nogui; emacs emacs-nox; emacsclient emacs-nox; vi vim; gpg gnupg; ssh openssh-client; scp openssh-client; sftp openssh-client;
ssh-keygen openssh-client; ssh-add openssh-client; ninja ninja-build; bundle ruby-bundler; gem ruby; irb ruby; php php-cli; lua lua5.4; R r-base-core;
Rscript r-base-core; stack haskell-stack; cabal cabal-install; dot graphviz; neato graphviz; pdflatex texlive-latex-base; latex texlive-latex-base;
xelatex texlive-xetex; lualatex texlive-luatex; latexmk latexmk; bibtex texlive-binaries; hg mercurial; svn subversion; docker docker.io;
inotifywait inotify-tools; column bsdextrautils; hexdump bsdextrautils; cal ncal; watch procps; ps procps; top procps; free procps; pgrep procps; pkill procps;
killall psmisc; fuser psmisc; pstree psmisc; envsubst gettext-base; msgfmt gettext; xgettext gettext; 7z p7zip-full; unxz xz-utils; xz xz-utils;
ldd libc-bin; strings binutils; objdump binutils; readelf binutils; nm binutils; ld binutils; setfacl acl; getfacl acl; setfattr attr; getfattr attr; mkpasswd whois; uuidgen uuid-runtime;
sponge moreutils; ts moreutils; vidir moreutils; tput ncurses-bin; locate plocate; updatedb plocate; nsenter util-linux; unshare util-linux; prlimit util-linux;
secret-tool libsecret-tools; notify-send libnotify-bin; xdg-open xdg-utils; sqlite sqlite3; ansible-playbook ansible; vagrant vagrant; qemu-img qemu-utils
`);

/** Where Homebrew and others name a package otherwise than Debian does. */
export const brewPackages: ReadonlyMap<string, string> = named(`
rg ripgrep; fdfind fd; fd fd; ag the_silver_searcher; convert imagemagick; identify imagemagick; magick imagemagick; pdftotext poppler; pdftoppm poppler;
pdfinfo poppler; ffprobe ffmpeg; http httpie; dig bind; gcc gcc; python python; python3 python; pip3 python; node node; npm node; java openjdk; javac openjdk;
go go; cargo rust; rustc rust; psql libpq; mysql mysql-client; redis-cli redis; xmllint libxml2; exiftool exiftool; gs ghostscript; gpg gnupg; ninja ninja;
dot graphviz; hg mercurial; svn subversion; 7z p7zip; xz xz; watch watch; pstree pstree; envsubst gettext; msgfmt gettext; sponge moreutils; sqlite3 sqlite
`);

function named(text: string): ReadonlyMap<string, string> {
  return new Map(
    text
      .split(";")
      .map((pair) => pair.trim().split(/\s+/))
      .map(([program = "", name = ""]) => [program, name] as const),
  );
}
