# Shares with their 95 % intervals, computed as Sources/Metrics/Intervals.swift does, and columns.

def z95: 1.959963984540054;

# Wilson's score interval of $count of $total.
def wilson($count; $total):
  ($count / $total) as $p | (z95 * z95) as $z2 | (1 + $z2 / $total) as $scale
  | (($p + $z2 / (2 * $total)) / $scale) as $center
  | (z95 / $scale * ($p * (1 - $p) / $total + $z2 / (4 * $total * $total) | sqrt)) as $half
  | [([0, $center - $half] | max), ([1, $center + $half] | min)];

# Newcombe's interval (1998, method 10) of a first share less a second of the same subjects, given
# how many belong to both, to the first alone, to the second alone, and to neither.
def newcombe($pairs): $pairs as [$a, $b, $c, $d] | ($pairs | add) as $n
  | (($a + $b) / $n) as $p1 | (($a + $c) / $n) as $p2
  | wilson($a + $b; $n) as $w1 | wilson($a + $c; $n) as $w2
  | (($a + $b) * ($c + $d) * ($a + $c) * ($b + $d)) as $margins
  | ($a * $d - $b * $c) as $product
  | (if $margins == 0 then 0
     else (if $product > 0 then [$product - $n / 2, 0] | max else $product end) / ($margins | sqrt)
     end) as $phi
  | def distance($x; $y): [0, $x * $x - 2 * $phi * $x * $y + $y * $y] | max | sqrt;
    [([-1, $p1 - $p2 - distance($p1 - $w1[0]; $w2[1] - $p2)] | max),
     ([1, $p1 - $p2 + distance($w1[1] - $p1; $p2 - $w2[0])] | min)];

def tenths: . * 10 | round | fabs | "\(. / 10 | floor).\(. % 10)";
def hundredths: . * 100 | round | "\(. / 100 | floor).\("\(. % 100 + 100)"[1:])";
def percent: . * 100 | tenths;
def signed: if (. * 1000 | round) < 0 then "-" + percent else "+" + percent end;

# "51.1% (49.7 to 52.5)", and "+3.4 (2.1 to 4.7)" for a difference in points.
def share($count; $total):
  if $total == 0 then "no one"
  else wilson($count; $total) as [$low, $high]
    | "\($count / $total | percent)% (\($low | percent) to \($high | percent))" end;
def points($interval): "\(signed) (\($interval[0] | signed) to \($interval[1] | signed))";

# A row of texts in columns of these widths: the first to the left, the others to the right.
def columns($widths):
  def spaces($n): if $n > 0 then " " * $n else "" end;
  [range(length) as $i
   | (.[$i] | tostring) as $text | spaces($widths[$i] - ($text | length)) as $pad
   | if $i == 0 then $text + $pad else $pad + $text end] | join("  ") | sub(" +$"; "");
