# labels=: calls are recorded as those of a sub for each text that they had. Without them nothing differs. No code of
# the program is run to find a text, and no literal, user or password gets into a profile.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use Config;
use CollectorRun qw(need_collector optional_module plain profiled same_behaviour tool);
use NYTPTest qw(run slurp spew);
use StockReaders qw(read_by_stock);
use SubTable qw(calls_and_attributes calls_of);
use Test::More;
use WebServer;

need_collector();

# The labels of some subs: { "BASE LABEL" => calls } without those whose base does not match.
sub labels_of {
    my ($bases, $calls) = @_;
    return { map { $_ => $calls->{$_} } grep { /^(?:$bases) / } keys %$calls };
}

my @recorded;    # profiles with labels

# Runs a program with labels and without; both must behave and count the same, after --no-labels. Returns calls and
# attributes.
sub labelled {
    my ($name, $labels, $arguments, %run) = @_;
    my $plain = plain($arguments, %run);
    my ($with, $without) =
        map { profiled('ours', $arguments, %run, options => { %{ $run{options} // {} }, %$_ }) } { labels => $labels },
        {};
    same_behaviour($plain, $with, $name);
    push @recorded, @{ $with->{files} };
    is_deeply(calls_of([$with->{files}[0]], '--no-labels'), calls_of([$without->{files}[0]]),
        "$name: --no-labels counts as without labels");
    return (calls_and_attributes($with->{files}[0]), $with);
}

subtest 'patterns' => sub {
    my ($calls, $attributes) = labelled('patterns', 'regex', ['-e', <<'END']);
sub f { my ($word) = @_; return grep { $_ } "abc" =~ /b/i, "abc" =~ /\Q$word\E/, "abc" =~ s/(.)/<$1>/r, qr/x  y/x }
f("w$_") for 1 .. 3;
"a;b" =~ /a;b <script> My::Class/;
"\x{e9}" =~ /\x{e9}/ for 1, 2;
eval { my $bad = '('; "x" =~ /$bad/ };
split /b$_/, "abc" for 1, 1;
END
    is_deeply(labels_of('main::CORE:\w+', $calls), {
        'main::CORE:match /b/i' => 3, (map { ("main::CORE:match /w$_/" => 1, "main::CORE:regcomp /w$_/" => 1) } 1 .. 3),
        'main::CORE:subst /(.)/' => 3, 'main::CORE:substcont /(.)/' => 6, 'main::CORE:qr /x y/x' => 3,
        'main::CORE:match /a,b < script> My:Class/' => 1, 'main::CORE:match /\x{e9}/' => 2,
        'main::CORE:regcomp /b1/' => 2,
    }, 'each pattern is a sub') or diag(explain($calls));
    is($calls->{'main::CORE:regcomp'}, 1, 'a pattern that is not valid has no label');
    is($attributes->{labels}, 'regex', 'the profile says which labels there are');
};

subtest 'bytes and characters' => sub {
    my ($calls) = labelled('bytes', 'regex,file', ['-e', <<'END']);
my $bytes = "caf\xc3\xa9";
utf8::decode(my $characters = $bytes);
for my $text ($bytes, $characters, "caf\xe9") {
    "x" =~ /$text/;
    open my $file, '<', "/not there/$text";
}
"x" =~ /\xc3\x28|$_/ for "\xe9\xe9";
END
    is_deeply(labels_of('main::CORE:(?:match|open)', $calls), {
        "main::CORE:match /caf\xc3\xa9/" => 3, "main::CORE:open /not there/caf\xc3\xa9" => 3,
        "main::CORE:match /\\xc3\\x28|\xc3\xa9\xc3\xa9/" => 1,
    }, 'bytes that are UTF-8 have the label of their characters') or diag(explain($calls));
};

subtest 'limits' => sub {
    my ($calls, $attributes) = labelled('limits', 'regex',
        ['-e', '"x" =~ /y$_/ for 1 .. 5; "x" =~ /1/; "x" =~ /' . ('long ' x 20) . '/;'],
        options => { labelmax => 2, labellen => 30 });
    my %labels = %{ labels_of('main::CORE:match', $calls) };
    my ($long) = grep { /~/ } keys %labels;
    is_deeply([sort values %labels], [1, 1, 1, 1, 3], 'labelmax counts patterns of run time')
        or diag(explain(\%labels));
    is($labels{'main::CORE:match (others)'}, 3, 'further ones share a sub');
    my ($label, $hash) = $long =~ /^main::CORE:match (.* ~([0-9a-f]{8}))$/;
    is(length $label, 30, 'labellen');
    is($attributes->{"label_$hash"}, '/' . ('long ' x 20) . '/', 'the whole text is an attribute');
};

subtest 'statements of DBI' => sub {
    return plan(skip_all => 'DBD::SQLite is not there') if !optional_module('DBD::SQLite', 'libdbd-sqlite3-perl');
    my ($calls, $attributes, $got) = labelled('DBI', 'sql', ['-e', <<'END'], options => { compress => 0, savesrc => 0 });
use DBI;
my $dbh = DBI->connect("dbi:SQLite:dbname=:memory:;password=secret", "joe_user", "a_password", { RaiseError => 1, PrintError => 0 });
$dbh->do("CREATE TABLE t (id INTEGER, name TEXT)");
$dbh->do("INSERT INTO t VALUES ($_, 'secret$_')") for 1 .. 4;
$dbh->do("INSERT INTO t VALUES (?, ?)", undef, $_, "secret$_") for 5 .. 7;
my $sth = $dbh->prepare("SELECT * FROM t WHERE id > ?");
$sth->execute(3);
while (my $row = $sth->fetchrow_arrayref) { print "@$row\n" }
print scalar @{ $dbh->selectall_arrayref("SELECT id FROM t WHERE name IN ('secret1', 'secret2')") }, "\n";
print scalar @{ $dbh->selectall_arrayref($sth, undef, 1) }, "\n";
$dbh->do('SELECT "id" FROM t WHERE "id" = $1 AND name = "secret"', undef, 1);
my $method = $dbh->can('do');
$dbh->$method("DELETE FROM t WHERE id IN (1, 2)");
eval { $dbh->do("BOGUS 'secret'") };
open STDERR, '>', '/dev/null';
eval { DBI::st::execute($_) } for undef, {}, [], 7, bless {}, 'DBI::st';
print ref $dbh->{Statement}, $DBI::errstr, "\n";
END
    my %labels = %{ labels_of('DBI::(?:connect|db::do|db::select\w+|st::(?:execute|fetchrow_arrayref))', $calls) };
    is_deeply(\%labels, {
        'DBI::connect dbi:SQLite:dbname=:memory:' => 1,
        'DBI::db::do CREATE TABLE t (id INTEGER, name TEXT)' => 1, 'DBI::db::do INSERT INTO t VALUES (?+)' => 7,
        'DBI::db::do DELETE FROM t WHERE id IN (?+)' => 1, 'DBI::db::do BOGUS ?' => 1,
        (map { ("DBI::$_ SELECT \"id\" FROM t WHERE \"id\" = \$1 AND name = ?" => 1) } 'db::do', 'st::execute'),
        'DBI::db::selectall_arrayref SELECT id FROM t WHERE name IN (?+)' => 1,
        'DBI::db::selectall_arrayref SELECT * FROM t WHERE id > ?' => 1,
        'DBI::st::execute SELECT * FROM t WHERE id > ?' => 1, 'DBI::st::execute INSERT INTO t VALUES (?+)' => 3,
        'DBI::st::fetchrow_arrayref SELECT * FROM t WHERE id > ?' => 5,
    }, 'each statement is a sub') or diag(explain(\%labels));
    like($attributes->{labels}, qr/^sql,.*\bsql=DBI::st::execute\b/, 'the profile lists the methods');
    unlike(slurp($got->{files}[0]), qr/secret|joe_user|a_password/, 'no literal is in it');
    my $table = calls_of([$got->{files}[0]], '--labels=sql');
    is($table->{'DELETE FROM t WHERE id IN (?+)'}, 1, 'nytp-tree --labels=sql');
};

subtest 'handles of DBI that take the place of others' => sub {
    return plan(skip_all => 'DBD::SQLite is not there') if !optional_module('DBD::SQLite', 'libdbd-sqlite3-perl');
    my ($calls) = labelled('freed handles', 'sql', ['-e', <<'END']);
use DBI;
my $sqlite = DBI->connect("dbi:SQLite:dbname=:memory:"); my $sponge = DBI->connect('dbi:Sponge:');
$sqlite->do("CREATE TABLE t$_ (a INT)") for 10 .. 19;
for my $n (map { $_, $_ } 10 .. 19) {
    for my $dbh ($sqlite, $sponge) {    # the driver says what "a" is
        my $sth = $dbh->prepare(qq{SELECT "a" FROM t$n}, { rows => [[1], [2]], NAME => ['a'] });
        $sth->execute; $sth->fetch for 1, 2;
    }
}
my %statement = (Statement => 'SELECT not a handle'); tie my %tied, 'Tied'; sub Tied::TIEHASH { bless \%statement }
open STDERR, '>', '/dev/null';
eval { DBI::st::fetch($_) } for \%statement, \%tied;
END
    is_deeply(labels_of('DBI::st::fetch', $calls),
        { map { ("DBI::st::fetch SELECT \"a\" FROM t$_" => 4, "DBI::st::fetch SELECT ? FROM t$_" => 4) } 10 .. 19 },
        'each has its own statement') or diag(explain(labels_of('DBI::.*', $calls)));
};

subtest 'files, commands and hosts' => sub {
    my ($calls) = labelled('files', 'file,command,host', ['-e', <<'END']);
use Socket;
open my $fh, '<', '/etc/passwd'; open FH, '< /etc/passwd'; open my $memory, '<', \'x';
open FH, 'true a |'; close FH; open $fh, '-|', 'true', 'b', 'secret'; close $fh; open $fh, '|-', 'X=secret cat -secret >/dev/null 2>&1'; close $fh;
sysopen FH, '/etc/passwd', 0; opendir my $dir, '/etc'; chdir '/'; mkdir '/nope/a'; mkdir '/nope/b', 0777; rmdir '/nope/a'; readlink '/nope';
rename '/nope/c', '/nope/d'; unlink '/nope/e', '/nope/f'; -e '/etc'; -f _; -e -r '/etc/passwd'; stat $_ for '/tmp'; lstat '/tmp'; stat FH; -s FH;
{ no warnings; -e undef; stat [] }
sleep 0; sleep '0'; { no warnings; sleep undef }
system 'A=secret true --secret'; system 'true', 'c', 'secret'; `true d 2>&1`; `'true' secret`;
socket my $in, PF_INET, SOCK_STREAM, 0; connect $in, pack_sockaddr_in(1, inet_aton('127.0.0.1')); connect $in, '';
socket my $in6, PF_INET6, SOCK_STREAM, 0; connect $in6, Socket::pack_sockaddr_in6(1, Socket::IN6ADDR_LOOPBACK()) if $in6;
socket my $un, PF_UNIX, SOCK_STREAM, 0; connect $un, pack_sockaddr_un('/nope/socket'); gethostbyname 'localhost';
END
    my %labels = %{ labels_of('main::CORE:\w+', $calls) };
    delete $labels{'main::CORE:connect [0:0:0:0:0:0:0:1]:1'};    # not everywhere
    is_deeply([sort map { s/main::CORE://r } keys %labels], [sort(
        'open /etc/passwd', 'open < /etc/passwd', 'open true a |', 'open true b |', 'open | cat', 'sysopen /etc/passwd',
            'open_dir /etc',
        'chdir /', 'mkdir /nope/a', 'mkdir /nope/b', 'rmdir /nope/a', 'readlink /nope', 'rename /nope/c',
        'unlink /nope/e', 'ftis /etc',
        'fteread /etc/passwd', 'stat /tmp', 'lstat /tmp', 'sleep 0', 'system true', 'system true c', 'backtick true d',
        'connect 127.0.0.1:1', 'connect /nope/socket', 'ghbyname localhost')], 'what each was called with')
        or diag(explain(\%labels));
};

# Answers each request with its method, path and body. Redirects /moved to /users/5.
my $SERVER = <<'END';
use IO::Socket::INET;
my $listen = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => shift, Listen => 5, ReuseAddr => 1) or die "no port: $@";
while (my $client = $listen->accept) {
    my ($method, $path) = split ' ', readline $client;
    my $length = 0;
    while (readline($client) =~ /^([\w-]+): (.*?)\r\n/) { $length = $2 if lc $1 eq 'content-length' }
    read $client, my $body, $length;
    my $answer = "$method $path $body\n";
    print {$client} $path =~ m{^/moved} ? "HTTP/1.1 302 Found\r\nLocation: /users/5?key=secret\r\n" : "HTTP/1.1 200 OK\r\n",
        'Content-Length: ', length $answer, "\r\nConnection: close\r\n\r\n$answer";
    close $client;
}
END

# What of users is in the requests must not be in the profile.
my %CLIENTS = (
    'HTTP::Tiny' => [undef, <<'END'],
use HTTP::Tiny;
my ($server, $agent) = (shift, HTTP::Tiny->new);
print $_->{status}, $_->{content} for (map { $agent->get("http://joe:secret\@$server/$_?key=secret") } 'users/17', 'users/18', 'moved'),
    $agent->post_form("http://$server/form", { password => 'secret' }), $agent->request(DELETE => "http://$server/users/0af309bc-11");
END
    'LWP::UserAgent' => ['libwww-perl', <<'END'],
use LWP::UserAgent;
my ($server, $agent) = (shift, LWP::UserAgent->new);
print $_->code, $_->content for (map { $agent->get("http://joe:secret\@$server/$_?key=secret") } 'users/17', 'users/18', 'moved'),
    $agent->post("http://$server/form", { password => 'secret' }), $agent->delete("http://$server/users/0af309bc-11");
END
);

subtest 'requests to a server' => sub {
    my $port   = WebServer::free_port();
    my $server = WebServer->start([$^X, '-e', $SERVER, $port], port => $port) or die $@;
    for my $module (sort keys %CLIENTS) {
        my ($package, $program) = @{ $CLIENTS{$module} };
        next if $package && !optional_module($module, $package);
        my ($calls, undef, $got) = labelled($module, 'http,host', ['-e', $program, "127.0.0.1:$port"],
            options => { compress => 0, savesrc => 0 });
        like($got->{out},
            qr{200GET /users/17\?key=secret.*200GET /users/5\?key=secret.*200POST /form password=secret.*200DELETE }s,
            "$module: the server answers");
        # whether the request after a redirection is one of request()
        my $redirected = $module eq 'HTTP::Tiny' ? 0 : 1;
        is_deeply(labels_of("${module}::request", $calls),
            { map { my ($count, $request) = split ' ', $_, 2; ("${module}::request $request" => $count) }
            2 + $redirected . " GET 127.0.0.1:$port/users/*", "1 GET 127.0.0.1:$port/moved",
            "1 POST 127.0.0.1:$port/form", "1 DELETE 127.0.0.1:$port/users/*",
        }, "$module: requests by route") or diag(explain($calls));
        is_deeply([grep { /CORE:connect / } keys %$calls], ["IO::Socket::IP::CORE:connect 127.0.0.1:$port"],
            "$module: connections by host");
        unlike(slurp($got->{files}[0]), qr/secret|joe/, "$module: without user, password, query and what is posted");
    }
    is($server->stop('TERM')->{err}, '', 'the server has no complaint');
};

subtest 'requests and templates' => sub {
    my ($calls) = labelled('nobody listens', 'http',
        ['-e', 'use HTTP::Tiny; HTTP::Tiny->new->get("http://127.0.0.1:1/users/17?x=1")']);
    is($calls->{'HTTP::Tiny::request GET 127.0.0.1:1/users/*'}, 1, 'a request that fails');
    if (optional_module('Mojo::UserAgent', 'libmojolicious-perl')) {
        ($calls) = calls_and_attributes(profiled('ours', ['-e', <<'END'], options => { labels => 'http' })->{files}[0]);
use Mojolicious::Lite; app->log->level('fatal'); get '/users/:id' => { text => 'x' };
my $ua = Mojo::UserAgent->new; $ua->server->app(app);
$ua->get($_) for '/users/17?key=secret', $ua->server->url->userinfo('joe:secret')->path('/users/5'), 'http://127.0.0.1:1/users/6', 'http://127.0.0.1:1';
END
        my $labels = labels_of('Mojo::UserAgent::start', $calls);
        is_deeply({ map { (s/:[2-9]\d+/:PORT/r => $labels->{$_}) } keys %$labels },
            { map { ("Mojo::UserAgent::start GET $_" => 1) } '/users/*', '127.0.0.1:PORT/users/*',
            '127.0.0.1:1/users/*', '127.0.0.1:1' }, 'Mojo::UserAgent, as the others')
            or diag(explain(labels_of('Mojo.*', $calls)));
    }
    if (optional_module('Template', 'libtemplate-perl')) {
        ($calls) = labelled('Template', 'template', ['-e', <<'END'], prepare => sub { spew("$_[0]/a.tt", '[% INCLUDE b.tt %][% PROCESS b.tt %]'); spew("$_[0]/b.tt", 'x') });
use Template; my $t = Template->new; $t->process('a.tt') or die $t->error; $t->process(\'[% x %]') or die;
END
        is_deeply(labels_of('Template(?:::Context)?::\w+', $calls),
            { 'Template::process a.tt' => 1, 'Template::Context::include b.tt' => 1,
            'Template::Context::process b.tt' => 2 }, 'Template') or diag(explain(labels_of('Template.*', $calls)));
    }
};

subtest 'rules' => sub {
    my ($calls, $attributes) = labelled('rules', 'My::get=1+2{a}[1]{b}$url,List::Util::first=1,List::Util::sum=0,My::rec=0,My::gone=1', ['-e', <<'END']);
package My;
use List::Util;
sub get { return $_[1] }
sub rec { my ($n) = @_; return $n && rec(int($n / 2)) }
sub AUTOLOAD { return 1 }
get(undef, "key$_", { a => [1, { b => \"http://joe:pw\@h/x/12?secret" }] }) for 1 .. 2;
get(undef, $_) for undef, [], 1.5, -3;
&get for 1;
List::Util::sum(7, 8); List::Util::sum(7, 1); List::Util::first(sub { 1 }, 2);
rec(5);
My::gone(1, 2);
sub to_perl { goto &get } sub to_xsub { goto &List::Util::sum }
to_perl(undef, 'goto') for 1 .. 3; to_xsub(9, 1);
sub refused { eval { goto &get } } refused(undef, 'refused');
END
    is_deeply(labels_of('My::\w+|List::Util::\w+', $calls), {
        (map { ("My::get key$_ h/x/*" => 1) } 1, 2), 'My::get 1.5' => 1, 'My::get -3' => 1, 'My::get goto' => 3,
        'List::Util::sum 7' => 2, 'List::Util::sum 9' => 1, 'List::Util::first 2' => 1,
        (map { ("My::rec $_" => 1) } 5, 2, 1, 0),
    }, 'parts of arguments') or diag(explain($calls));
    is($calls->{'My::get'}, 3, 'what cannot be read has no label');
    like($attributes->{labels}, qr/^call=My::get,/, 'the profile lists the subs');
};

subtest 'threads' => sub {
    return plan(skip_all => 'this perl has none') if !$Config{useithreads};
    my $got = profiled('ours', ['-e', <<'END'], options => { labels => 'all,main::f=0' });
use threads;
sub f { my ($n) = @_; "x$n" =~ /x$n/; "y" =~ /y/; -e "/nope/$n"; open my $fh, '<', '/etc/passwd'; return }
f("main$_") for 1 .. 20;
$_->join for map { my $n = $_; threads->create(sub { f("t$n.$_") for 1 .. 20; system 'true'; f('main1') }) } 1 .. 4;
f("main$_") for 1 .. 20;
END
    is("$got->{status} $got->{err}", '0 ', 'the program runs');
    is(scalar @{ $got->{files} }, 5, 'a profile for each thread');
    push @recorded, @{ $got->{files} };
    my $calls = calls_of($got->{files});
    is_deeply({ map { $_ => $calls->{$_} }
        grep { /^main::(?:f|CORE:(?:system|open|match \/y)|CORE:ftis .nope.t1)/ } sort keys %$calls }, {
        'main::f main1' => 6, (map { ("main::f main$_" => 2) } 2 .. 20), 'main::CORE:system true' => 4,
            'main::CORE:open /etc/passwd' => 124,
        'main::CORE:match /y/' => 124,
        (map { my $n = $_;
            map { ("main::f t$n.$_" => 1, $n == 1 ? ("main::CORE:ftis /nope/t1.$_" => 1) : ()) } 1 .. 20 } 1 .. 4),
    }, '... with its labels') or diag(explain($calls));
};

subtest 'no code of the program runs' => sub {
    my ($calls) = labelled('odd values', 'all,main::f=0+1{k}{b}+2[0]+3$', ['-e', <<'END']);
our %ran;
{ package T; sub TIESCALAR { bless [] } sub FETCH { $main::ran{fetch}++; 'FETCHED' } sub TIEHASH { bless {} } sub TIEARRAY { bless [] } sub FETCHSIZE { 1 } }
{ package O; use overload '""' => sub { $main::ran{string}++; 'STRING' }, '%{}' => sub { $main::ran{hash}++; {} }, fallback => 1; }
sub f { return 1 }
use Hash::Util; use Hash::Util::FieldHash; use Scalar::Util;
tie my $scalar, 'T'; tie my %hash, 'T'; tie my @array, 'T';
my $object = bless [], 'O';
my %restricted = (x => 1); Hash::Util::lock_keys(%restricted);
Hash::Util::FieldHash::fieldhash(my %field);
my $self; $self = \$self; Scalar::Util::weaken($self);
my $text = "abc"; "x1" =~ /(\d)/;
f($scalar, \%hash, \@array, \$scalar, \%hash); f($object, $object, $object, $object, $object);
f(undef, \%restricted, [], \\1, { a => $object }); f(*STDOUT, \%field, sub { }, $self, undef);
f($1, {}, [$1], \substr($text, 1), \%ENV); f(); &f; f(v1.2, qr/x/, \@INC, \$0, \%::);
f(("x" x 1e6) . "\0<script>\n"); tie @_, 'T'; &f;
open my $fh, '<', $scalar; open $fh, '<', $object; open $fh, '<', \$text; -e $scalar; -e $object; -e $fh; -e _; stat $scalar; unlink $object;
print join(',', map { "$_=$ran{$_}" } sort keys %ran), "\n";
END
    cmp_ok(scalar keys %$calls, '>', 3, 'calls are there');
};

subtest 'bad input' => sub {
    my %warns = map { ("regex,$_" => qr/'\Q$_\E' is ignored/) } 'foo', 'My::f=', '=x', 'My::f={', 'My::f=1{',
        'My::f=1+', 'My::f=100', 'f=1{}', 'f=1x';
    for my $labels (sort keys %warns) {
        my $got = profiled('ours', ['-e', '"x" =~ /y/'], options => { labels => $labels });
        like($got->{err}, $warns{$labels}, "labels=$labels is warned of");
        my ($calls) = calls_and_attributes($got->{files}[0]);
        is($calls->{'main::CORE:match /y/'}, 1, '... and the rest works');
    }
    my $got = profiled('ours', ['-e', 'DB::set_option("labels", "sql")'],
        options => { labels => 'regex', labelmax => -1, labellen => 5000 });
    like($got->{err}, qr/labellen=5000: .*\n.*labelmax=-1: .*\n.*labels: only NYTPROF can set that/,
        'limits, and what comes too late');
};

subtest 'programs that read labels' => sub {
    my $got = profiled('ours', ['-e', 'sub f { "x" =~ /y/ } f() for 1 .. 3; "x" =~ /z/'],
        options => { labels => 'regex' });
    my $path = $got->{files}[0];
    is_deeply(calls_of([$path], '--labels=regex'), { '/y/' => 3, '/z/' => 1 }, 'nytp-tree --labels');
    my $out = "$got->{dir}/pb.gz";
    is(run([tool('nytp-pprof'), '-o', $out, $path])->{status}, 0, 'nytp-pprof');
    if (run(['go', 'version'])->{status} == 0) {
        my $tags = run(['go', 'tool', 'pprof', '-tags', $out], env => { HOME => $got->{dir} })->{out};
        like($tags, qr{^ *label: .*\n(?:.*\n)*.*/y/}m, '... has labels') or diag($tags);
    }
    like(run([tool('nytprofcsv'), '--table=labels', '-o', '-', $path])->{out},
        qr{^regex,/y/,main::CORE:match,main::CORE:match /y/,/y/,3,[\d.]+,[\d.]+,3\r?$}m, 'nytprofcsv');
    my $none = run([tool('nytp-tree'), '--labels=sql', $path]);
    like($none->{err}, qr/no labels of that kind/, '... without any of the kind');
    like(run([tool('nytp-tree'), '--labels=regex', '-S', $path])->{err}, qr/--labels has no effect without a table/,
        '... and no tree');
};

subtest 'a profile for each request' => sub {
    my $got = profiled('ours', ['-e', <<'END'], options => { labels => 'regex,file,main::f=0', start => 'no' });
sub f { "x" =~ /y/; "x$_[0]" =~ /x$_[0]/; -e '/tmp'; return }
for my $n (1 .. 4) { DB::enable_profile("request$n"); f($n % 2) for 1 .. $n; DB::finish_profile() }
END
    for my $n (1 .. 4) {
        my ($calls) = calls_and_attributes("$got->{dir}/request$n");
        is_deeply(labels_of('main::\S+', $calls),
            { map { ("main::$_" => $n) } 'f ' . $n % 2, 'CORE:match /y/', "CORE:match /x@{[$n % 2]}/",
            "CORE:regcomp /x@{[$n % 2]}/", 'CORE:ftis /tmp' }, "request $n") or diag(explain($calls));
    }
};

subtest 'profiling ends and begins within labelled calls' => sub {
    my $program = <<'END';
use List::Util 'first';
sub control { my ($name, @arguments) = @_; my $sub = DB->can("${name}_profile"); $sub->(@arguments) if $sub; return }
sub f { my ($n) = @_; return "x$n" =~ /x$n/ }
our $how; { package Over; use overload q("") => sub { $main::how->(); 'text' }, fallback => 1 }
my $object = bless [], 'Over'; my $span = DB->can('begin_span') // sub { undef };
for my $n (0 .. 4) {
    $how = (sub { control('finish') }, sub { control('disable') }, sub { control('disable'); control('enable') }, sub { control('enable', "$ARGV[0].$n") },
        sub { control('finish'); control('enable', "$ARGV[0].$n") })[$n];
    control('enable');
    first { f($_); $how->(); 0 } 'a', 'b'; control('enable');
    my @sorted = sort { $how->(); f(7); $a <=> $b } 2, 1; control('enable');
    "ab" =~ /a(?{ $how->() })b/; (my $t = 'aXX') =~ s/X/$how->(); 'y'/ge; "text" =~ /$object/; -e $object; open my $fh, '<', $object; control('enable');
    { my $s = $span->('s'); $how->(); my $t = $span->('t'); f(1); $how->(); }
    eval { my $s = $span->('s'); $how->(); die 1 }; control('enable');
    local $SIG{USR1} = sub { $how->(); f('signal') }; kill USR1 => $$; f(2); control('enable');
    my $s = $span->("fork"); my $pid = fork; if (!$pid) { f('child'); $how->(); exec 'true' } waitpid $pid, 0; print "$n $t @sorted\n";
}
END
    my $plain = plain(['-e', $program, 'other']);
    my ($with, $without) =
        map { profiled('ours', ['-e', $program, 'other'],
            options => $_) } { labels => 'all,main::f=0,List::Util::first=1' }, {};
    same_behaviour($plain, $with, 'they run');
    my @profiles = map { [@{ $_->{files} }, glob "$_->{dir}/other*"] } $with, $without;
    is(scalar @{ $profiles[0] }, scalar @{ $profiles[1] }, 'as many profiles as without labels');
    is_deeply(map({ calls_of($_, '--no-labels') } @profiles), '... with the same calls');
};

# Stock's report has names as they are, and its flame graph has them in strings of JavaScript.
my $dangerous = profiled('ours', ['-e', <<'END'], options => { labels => 'all', savesrc => 0 });
sub f { "x" =~ /<b>bold<script>alert(1)<\/script>/; my $q = '<i>a'; "x" =~ /$q;b::c<img src=x onerror=alert(2)>/; -e '/<u>x'; -e "\\'+alert(3))//" }
f() for 1 .. 50; my $span = DB::begin_span('GET /<em>x</em><!--'); undef $span;
END
is_deeply([map { /^\S+ (.*)/ } sort keys %{ labels_of('main::CORE:(?:match|ftis)|NYTProf::span',
    calls_and_attributes($dangerous->{files}[0])) }],
    ['GET /< em>x< /em>< !--', '/< u>x', "\\ '+alert(3))//", '/< b>bold< script>alert(1)< /script>/',
    '/< i>a,b:c< img src=x onerror=alert(2)>/'],
    'labels that would be tags and script');
read_by_stock('labels that would be tags and script', $dangerous->{files});
read_by_stock('all of these', \@recorded);

done_testing();
