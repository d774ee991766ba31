# Changes a copy of the sources so that each place of a rule can be switched off, and lists the
# places: number, name, file:line. Called by scripts/dev/mutate-rules, which explains the names.
use strict;
use warnings;

my $root = shift or die "instrument.pl: the folder of the sources is missing\n";
my $number = 0;

sub text { my ($path) = @_; local (@ARGV, $/) = ($path); return scalar <>; }
sub keep {
    my ($path, $text) = @_;
    open my $file, '>', $path or die "$path: $!\n";
    print $file $text;
    close $file;
}

# Rules, but for names that versions of iOS have, too.
my %rules = map { lc $_ => $_ } text("$root/AuthorizationCore/RuleID.swift") =~ /"([A-Z]+\d+)"/g;
delete @rules{ text("$root/AuthorizationCore/IOSVersion.swift") =~ /static let (v\d+)\b/g };

sub place {
    my ($name, $file, $line) = @_;
    print "$number $name $file:$line\n";
    return $number++;
}

my $nested = qr/(\((?:[^()]++|(?-1))*+\))/;

for my $path (sort glob("$root/AuthorizationCore/Authorization+*.swift $root/DeviceCore/*.swift")) {
    my ($file) = $path =~ m{([^/]+)\.swift$};
    my $isCore = $path =~ m{/AuthorizationCore/};
    my (%count, $text);
    my $line = 0;
    for (split /^/, text($path)) {
        $line++;
        chomp;
        my ($code, $comment) = m{^(.*?)(\s*//.*)?$};
        $comment //= '';
        my $name = sub { my ($rule) = @_; return "$rule/$file/" . ++$count{$rule} };
        # A statement whose comment names a rule.
        my ($said) = map { uc } grep { $rules{ lc $_ } } $comment =~ m{//\s([A-Z]{1,2}\d+)\b};
        my $isStatement =
            $code =~ /^\s+(?:if .*\{.*\}|[\w.\[\]]+ = .*|\([\w., ]+\) = .*)$/ && $code !~ /[{(,:?|]$/;
        if ($said && $isStatement && ($code =~ tr/(//) == ($code =~ tr/)//)) {
            my $site = place($name->($said), $file, $line);
            $code = "if !Mutant.isOff($site) { $code }";
        } elsif ($isCore) {
            # A rule that the reducer names; not where it is compared.
            $code =~ s{(?<![=!]= )(?<![\w)\]])(?:RuleID)?\.([a-z]{1,2}\d{1,2})\b(?!_)}{
                $rules{$1}
                    ? 'Mutant.site(' . place($name->($rules{$1}), $file, $line) . ", .$1)" : $&
            }ge unless $code =~ /\bcase \.[a-z]+\d/;
            $code =~ s/static func reduce\(/static func reduceWhole(/;
        } elsif ($code =~ /[(, ]\.([a-z]{1,2}\d{1,2})\)/ && $rules{$1}) {
            # An effect, or an event, that names one.
            my $rule = $rules{$1};
            $code =~ s{((?:play\.effects\.append|reduce)$nested)}{
                'if !Mutant.isOff(' . place($name->($rule), $file, $line) . ") { $1 }"
            }e;
        }
        $text .= "$code$comment\n";
    }
    if (!$isCore) {
        # A function whose comment begins with a rule.
        $text =~ s{^(\h+///\ ([A-Z]{1,2}\d+)\b.*\n(?:\h+///.*\n)*
            \h+(?:private\ |public\ )?(?:mutating\ )?func\ (\w+)$nested(\ ->\ Bool)?\ \{)\n
            ((?:.*\n)*?)(\h{4}\})$}{
            my ($head, $rule, $function, $isBool, $body, $end) = ($1, $2, $3, $5, $6, $7);
            my $off = '';
            if ($rules{ lc $rule }) {
                my $site = place("$rule/$function", $file, $function);
                $off = "if Mutant.isOff($site) { return" . ($isBool ? ' false' : '') . " }\n";
                $body = "return $body" if $isBool && $body !~ /\breturn\b/;
            }
            "$head\n$off$body$end"
        }gmex;
    }
    keep($path, $text);
}
