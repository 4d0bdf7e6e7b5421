//! Expressions of text against a printer of their own, and text that is none.

use super::functions::all;
use super::parser::parse;
use super::{Binary, Expression, null};
use columnade::{Expr, col, lit, when};

/// Pseudo-random numbers (`SplitMix64`).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((bits ^ (bits >> 31)) % bound as u64).expect("below the bound")
    }

    fn pick<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }
}

/// An expression as the grammar has it.
enum Tree {
    Column(&'static str),
    Int(i64),
    Float(f64),
    String(&'static str),
    Bool(bool),
    Null,
    Negate(Box<Tree>),
    Not(Box<Tree>),
    IsNull(Box<Tree>, bool),
    In(Box<Tree>, Vec<Tree>, bool),
    Between(Box<[Tree; 3]>),
    Like(Box<Tree>, &'static str),
    Binary(Binary, Box<[Tree; 2]>),
    Case(Vec<(Tree, Tree)>, Option<Box<Tree>>),
    Upper(Box<Tree>, bool),
    Round(Box<Tree>, i64),
}

const NAMES: [&str; 7] = ["a", "unit price", "é", "and", "x1", "say \"hi\"", "sum"];
const STRINGS: [&str; 5] = ["", "it's", "\"", "日本 語", "--"];
const ARITHMETIC: [Binary; 6] =
    [Binary::Add, Binary::Subtract, Binary::Multiply, Binary::Divide, Binary::FloorDivide, Binary::Modulo];

fn random_tree(random: &mut Random, levels: usize) -> Tree {
    let choice = random.below(if levels == 0 { 6 } else { 17 });
    let below = |random: &mut Random| random_tree(random, levels - 1);
    let boxed = |random: &mut Random| Box::new(random_tree(random, levels - 1));
    match choice {
        0 => Tree::Column(random.pick(&NAMES)),
        1 => Tree::Int(i64::try_from(random.below(2000)).expect("small") - 1000),
        2 => Tree::Float(random.pick(&[0.0, -1.5, 1e300, 0.1, -2.5e-7])),
        3 => Tree::String(random.pick(&STRINGS)),
        4 => Tree::Bool(random.below(2) == 0),
        5 => Tree::Null,
        6 => Tree::Negate(boxed(random)),
        7 => Tree::Not(boxed(random)),
        8 => Tree::IsNull(boxed(random), random.below(2) == 0),
        9 => {
            let values = (0..=random.below(3)).map(|_| below(random)).collect();
            Tree::In(boxed(random), values, random.below(2) == 0)
        }
        10 => Tree::Between(Box::new([below(random), below(random), below(random)])),
        11 => Tree::Like(boxed(random), random.pick(&STRINGS)),
        12 => {
            let branches = (0..=random.below(2)).map(|_| (below(random), below(random))).collect();
            Tree::Case(branches, (random.below(2) == 0).then(|| boxed(random)))
        }
        13 => Tree::Upper(boxed(random), random.below(2) == 0),
        14 => Tree::Round(boxed(random), i64::try_from(random.below(9)).expect("small") - 4),
        _ => Tree::Binary(random.pick(&Binary::ALL), Box::new([below(random), below(random)])),
    }
}

impl Tree {
    /// The same by the methods of expressions.
    fn build(&self) -> Expr {
        match self {
            Tree::Column(name) => col(*name),
            Tree::Int(value) => lit(*value),
            Tree::Float(value) => lit(*value),
            Tree::String(value) => lit(*value),
            Tree::Bool(value) => lit(*value),
            Tree::Null => null(),
            Tree::Negate(a) => -a.build(),
            Tree::Not(a) => !a.build(),
            Tree::IsNull(a, is_null) => {
                if *is_null {
                    a.build().is_null()
                } else {
                    a.build().is_not_null()
                }
            }
            Tree::In(a, values, is_in) => {
                let made = a.build().is_in(values.iter().map(Tree::build));
                if *is_in { made } else { !made }
            }
            Tree::Between(operands) => {
                let [a, low, high] = &**operands;
                a.build().between(low.build(), high.build())
            }
            Tree::Like(a, pattern) => a.build().str().like(*pattern),
            Tree::Binary(operator, operands) => operator.apply(operands[0].build(), operands[1].build()),
            Tree::Case(branches, otherwise) => {
                let last = otherwise.as_ref().map_or_else(null, |otherwise| otherwise.build());
                branches.iter().rev().fold(last, |rest, (condition, value)| {
                    when(condition.build()).then(value.build()).otherwise(rest)
                })
            }
            Tree::Upper(a, _) => a.build().str().upper(),
            Tree::Round(a, digits) => a.build().round(i32::try_from(*digits).expect("small")),
        }
    }

    /// How tight the outermost operator binds.
    fn precedence(&self) -> u8 {
        match self {
            Tree::Binary(Binary::Or, _) => 0,
            Tree::Binary(Binary::And, _) => 1,
            Tree::Not(_) => 2,
            Tree::Binary(Binary::Add | Binary::Subtract, _) => 4,
            Tree::Binary(Binary::Multiply | Binary::Divide | Binary::FloorDivide | Binary::Modulo, _) => 5,
            Tree::In(..) | Tree::IsNull(..) | Tree::Between(_) | Tree::Like(..) | Tree::Binary(..) => 3,
            Tree::Negate(_) => 6,
            Tree::Int(value) if *value < 0 => 6,
            Tree::Float(value) if value.is_sign_negative() => 6,
            _ => 7,
        }
    }

    fn print(&self, random: &mut Random) -> String {
        let blank = random.pick(&[" ", "  ", "\n", "\t "]);
        let word = |random: &mut Random, word: &str| {
            let word = if random.below(2) == 0 { word.to_owned() } else { word.to_uppercase() };
            format!("{blank}{word}{blank}")
        };
        match self {
            Tree::Column("a") if random.below(2) == 0 => "a".to_owned(),
            Tree::Column(name) => format!("\"{}\"", name.replace('"', "\"\"")),
            Tree::Int(value) => value.to_string(),
            Tree::Float(value) => format!("{value:?}"),
            Tree::String(value) => format!("'{}'", value.replace('\'', "''")),
            Tree::Bool(value) => word(random, &value.to_string()),
            Tree::Null => word(random, "null"),
            // A sign before a number would be the number's.
            Tree::Negate(a) if matches!(**a, Tree::Int(_) | Tree::Float(_)) => {
                format!("-({})", a.print(random))
            }
            Tree::Negate(a) => format!("-{}", a.within(6, random)),
            Tree::Not(a) => format!("{}{}", word(random, "not"), a.within(2, random)),
            Tree::IsNull(a, is_null) => {
                let end = if *is_null { "is null" } else { "is not null" };
                format!("{}{}", a.within(4, random), word(random, end))
            }
            Tree::In(a, values, is_in) => {
                let values: Vec<_> = values.iter().map(|value| value.print(random)).collect();
                let start = word(random, if *is_in { "in" } else { "not in" });
                format!("{}{start}({})", a.within(4, random), values.join(","))
            }
            Tree::Between(operands) => {
                let [a, low, high] = &**operands;
                let (between, and) = (word(random, "between"), word(random, "and"));
                let [a, low, high] = [a, low, high].map(|operand| operand.within(4, random));
                format!("{a}{between}{low}{and}{high}")
            }
            Tree::Like(a, pattern) => {
                let pattern = Tree::String(pattern).print(random);
                format!("{}{}{pattern}", a.within(4, random), word(random, "like"))
            }
            Tree::Binary(operator, operands) => {
                let tightness = self.precedence();
                // Arithmetic associates to the left, comparisons not at all; and the parser pairs `and` and `or` itself.
                let left = tightness + u8::from(!ARITHMETIC.contains(operator));
                let symbol = match operator {
                    Binary::Add => "+",
                    Binary::Subtract => "-",
                    Binary::Multiply => "*",
                    Binary::Divide => "/",
                    Binary::FloorDivide => "//",
                    Binary::Modulo => "%",
                    Binary::Eq => random.pick(&["=", "=="]),
                    Binary::Ne => random.pick(&["!=", "<>"]),
                    Binary::Lt => "<",
                    Binary::Le => "<=",
                    Binary::Gt => ">",
                    Binary::Ge => ">=",
                    Binary::And => "and",
                    Binary::Or => "or",
                };
                let [first, second] = &**operands;
                let symbol = word(random, symbol);
                format!("{}{symbol}{}", first.within(left, random), second.within(tightness + 1, random))
            }
            Tree::Case(branches, otherwise) => {
                let mut text = word(random, "case");
                for (condition, value) in branches {
                    text += &word(random, "when");
                    text += &condition.print(random);
                    text += &word(random, "then");
                    text += &value.print(random);
                }
                if let Some(otherwise) = otherwise {
                    text += &word(random, "else");
                    text += &otherwise.print(random);
                }
                text + &word(random, "end")
            }
            Tree::Upper(a, true) => format!("upper({})", a.print(random)),
            Tree::Upper(a, false) => format!("{}.str.upper()", a.within(7, random)),
            Tree::Round(a, digits) => format!("round({}, {digits})", a.print(random)),
        }
    }

    /// In parentheses where the surroundings bind tighter, and sometimes where they do not.
    fn within(&self, tightness: u8, random: &mut Random) -> String {
        let text = self.print(random);
        if self.precedence() < tightness || random.below(8) == 0 { format!("({text})") } else { text }
    }
}

#[test]
fn printed_expressions_parse_to_themselves() {
    let mut random = Random(7);
    for _ in 0..5000 {
        let levels = random.below(5);
        let tree = random_tree(&mut random, levels);
        let text = tree.print(&mut random);
        match parse(&text) {
            Ok(parsed) => assert_eq!(format!("{:?}", parsed.expr), format!("{:?}", tree.build()), "{text}"),
            Err(failure) => panic!("{text}: {failure}"),
        }
    }
}

/// A column may be called as a namespace.
#[test]
fn functions_of_namespaces_are_called_by_their_whole_names() {
    let printed = |text: &str| match parse(text) {
        Ok(parsed) => format!("{:?}", parsed.expr),
        Err(failure) => failure.to_string(),
    };
    for (text, as_method) in [
        ("str.upper(city)", "city.str.upper()"),
        ("dt.truncate(day, '1mo')", "day.dt.truncate('1mo')"),
        ("list.sum(l) + 1", "l.list.sum() + 1"),
        ("str.len(str.lower(city)).abs()", "city.str.lower().str.len().abs()"),
        // Methods of a column would take as many arguments.
        ("str.strip(city)", "city.str.strip()"),
        ("str.concat(city, name)", "city.str.concat(name)"),
        ("str.replace(city, 'a', 'x')", "city.str.replace('a', 'x')"),
        ("list.concat(l, m)", "l.list.concat(m)"),
        ("cat.add_categories(c, 'z')", "c.cat.add_categories('z')"),
        ("dt.year()", "\"dt\".dt.year()"),
        ("str.str.upper()", "\"str\".str.upper()"),
        ("dt.dt.truncate('1mo')", "\"dt\".dt.truncate('1mo')"),
        ("list + 1", "\"list\" + 1"),
    ] {
        assert!(parse(as_method).is_ok(), "{as_method}");
        assert_eq!(printed(text), printed(as_method), "{text}");
    }
    assert!(
        printed("str.nothing(city)").contains("there is no function"),
        "{}",
        printed("str.nothing(city)")
    );
}

/// Neither panics nor takes long: an expression, or an error at a character of the text.
#[test]
fn arbitrary_text_is_parsed_or_refused_in_place() {
    const TOKENS: [&str; 40] = [
        "a", "\"b c\"", "1", "2.5", "1e", "'x'", "'", "\"", "(", ")", ",", ".", "+", "-", "*", "/", "//",
        "%", "=", "<", ">=", "<>", "!", "and", "or", "not", "is", "null", "in", "between", "like", "case",
        "when", "then", "else", "end", "as", "sum", "str", "é",
    ];
    let mut random = Random(11);
    let mut refused = 0;
    for round in 0..20_000 {
        let mut text = String::new();
        if round % 2 == 0 {
            for _ in 0..random.below(12) {
                text += random.pick(&TOKENS);
                text += random.pick(&["", " "]);
            }
        } else {
            // One character of a valid text is lost or another one.
            let printed = random_tree(&mut random, 3).print(&mut random);
            let at = random.below(printed.chars().count().max(1));
            let other = random.pick(&["", "(", ")", "'", "\"", ".", "-", "é", "\0", "\u{2028}"]);
            for (position, character) in printed.chars().enumerate() {
                if position == at { text += other } else { text.push(character) }
            }
        }
        if let Err(failure) = parse(&text) {
            refused += 1;
            if let crate::error::Failure::Syntax { character, .. } = failure {
                assert!((1..=text.chars().count() + 1).contains(&character), "{text:?}: {character}");
            } else {
                panic!("{text:?}: {failure}");
            }
        }
    }
    assert!((5_000..20_000).contains(&refused), "{refused}");
}

/// On a stack as small as threads of C libraries have.
#[test]
fn nested_text_needs_little_stack() {
    let deepest = || {
        for (open, close) in
            [("(", ")"), ("-", ""), ("not ", ""), ("abs(", ")"), ("case when ", " then 1 end")]
        {
            for (levels, is_accepted) in [(64, true), (65, false), (10_000, false)] {
                let text = format!("{}a{}", open.repeat(levels), close.repeat(levels));
                assert_eq!(parse(&text).is_ok(), is_accepted, "{open}{levels}");
            }
        }
    };
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(deepest).expect("a thread");
    thread.join().expect("no overflow");
}

#[test]
fn functions_take_the_arguments_that_they_say() {
    let column = Expression::leaf(col("a"));
    for function in all() {
        let called = |count| Expression::call(function.name, &vec![column.clone(); count]);
        if function.arguments.0 > 0 {
            assert!(called(function.arguments.0 - 1).is_err(), "{}", function.name);
        }
        if let Some(more) = function.arguments.1.checked_add(1) {
            assert!(called(more).is_err(), "{}", function.name);
        }
        assert_eq!(all().filter(|other| other.name == function.name).count(), 1, "{}", function.name);
    }
}

/// The page for users has every function, and no other.
#[test]
fn page_lists_every_function() {
    let page = include_str!("../../../../docs/c.md");
    let (_, section) = page.split_once("### Functions\n").expect("the section");
    let (section, _) = section.split_once("\n#").expect("another section follows");
    let listed: std::collections::BTreeSet<String> = section
        .lines()
        .filter(|line| line.starts_with("| "))
        .flat_map(|line| line.split('`').skip(1).step_by(2))
        .map(|call| call.split_once('(').map_or(call, |(name, _)| name).to_owned())
        .collect();
    let known = all().map(|function| function.name.to_owned()).collect();
    assert_eq!(listed, known);
}

/// Arguments that a function may take after the first, in turn, until it takes them.
fn called_somehow(name: &str, count: usize) -> Option<Expression> {
    let constants = [
        "1",
        "'a'",
        "'left'",
        "'int8'",
        "'2024-01-31'",
        "'1.5'",
        "'d'",
        "b",
        "true",
        "'dense'",
        "'linear'",
        "'alpha'",
        "duration(1, 'd')",
    ];
    let candidates: Vec<_> = constants.iter().map(|text| parse(text).expect("a constant")).collect();
    let first: Vec<_> =
        ["a", "1", "'2024-01-31'", "'1.5'", "'1'"].map(|text| parse(text).expect("a value")).into();
    let mut chosen = vec![0; count];
    loop {
        let arguments: Vec<_> = chosen
            .iter()
            .enumerate()
            .map(|(at, &choice)| if at == 0 { first[choice].clone() } else { candidates[choice].clone() })
            .collect();
        if let Ok(made) = Expression::call(name, &arguments) {
            return Some(made);
        }
        let next =
            (0..count).find(|&at| chosen[at] + 1 < if at == 0 { first.len() } else { candidates.len() })?;
        chosen[next] += 1;
        chosen[..next].fill(0);
    }
}

/// The table calls the method of the name: its text has it, with as few and with as many arguments as it takes.
#[test]
fn functions_call_methods_of_their_names() {
    // Those that are made of others, and what shows them.
    const MADE_OF_OTHERS: [(&str, &str); 73] = [
        ("median", "a.quantile(0.5)"),
        ("date", "2024-01-31"),
        ("decimal", "1.5"),
        ("duration", "1 days 00:00:00"),
        ("literal", "1"),
        ("neg", "-a"),
        ("clip", "(a < 1)).then(1).otherwise(a) as a > 1)).then(1)"),
        ("clip_min", "when((a < 1)).then(1).otherwise(a)"),
        ("clip_max", "when((a > 1)).then(1).otherwise(a)"),
        ("coalesce", "a"),
        ("sum_horizontal", "a.fill_null(0)"),
        ("mean_horizontal", "a.fill_null(0)"),
        ("all_horizontal", "a"),
        ("any_horizontal", "a"),
        ("degrees", "(a * 57.29577951308232)"),
        ("radians", "(a * 0.017453292519943295)"),
        ("is_duplicated", "(len().over([a], dropna=false) > 1)"),
        ("is_unique", "(len().over([a], dropna=false) == 1)"),
        ("is_first_distinct", "(row_number().over([a], dropna=false) == 1)"),
        ("is_last_distinct", "(row_number().over([a], dropna=false) == len()"),
        ("between", "((a >= 1) & (a <= 1))"),
        ("is_in", "a"),
        ("replace_or", "when((a == 1)).then(1).otherwise("),
        ("diff", "(a - a.shift(1)) as a"),
        ("pct_change", "((a / a.shift(1)) - 1) as a"),
        ("rolling_median", "a.rolling_quantile(0.5, 1"),
        ("sum_min_count", "when((a.count() >= 1)).then(a.sum())"),
        ("product_min_count", "when((a.count() >= 1)).then(a.product())"),
        ("fill_nan", "when(a.is_nan()).then(1).otherwise(a)"),
        ("nan_to_null", "when(a.is_nan()).then("),
        ("shift_or", "otherwise(a.shift(1))"),
        ("interpolate_limit", "a.fill_forward(1)"),
        ("rolling_sum_by", "a.rolling_sum(1 days"),
        ("rolling_mean_by", "a.rolling_mean(1 days"),
        ("rolling_min_by", "a.rolling_min(1 days"),
        ("rolling_max_by", "a.rolling_max(1 days"),
        ("rolling_count_by", "a.rolling_count(1 days"),
        ("rolling_var_by", "a.rolling_var(1 days"),
        ("rolling_std_by", "a.rolling_std(1 days"),
        ("rolling_skew_by", "a.rolling_skew(1 days"),
        ("rolling_kurt_by", "a.rolling_kurt(1 days"),
        ("rolling_median_by", "a.rolling_quantile(0.5, 1 days"),
        ("rolling_first_by", "a.rolling_first(1 days"),
        ("rolling_last_by", "a.rolling_last(1 days"),
        ("rolling_nunique_by", "a.rolling_nunique(1 days"),
        ("expanding_sum", "a.rolling_sum(expanding"),
        ("expanding_mean", "a.rolling_mean(expanding"),
        ("expanding_min", "a.rolling_min(expanding"),
        ("expanding_max", "a.rolling_max(expanding"),
        ("expanding_count", "a.rolling_count(expanding"),
        ("expanding_var", "a.rolling_var(expanding"),
        ("expanding_std", "a.rolling_std(expanding"),
        ("expanding_skew", "a.rolling_skew(expanding"),
        ("expanding_kurt", "a.rolling_kurt(expanding"),
        ("expanding_median", "a.rolling_quantile(0.5, expanding"),
        ("expanding_first", "a.rolling_first(expanding"),
        ("expanding_last", "a.rolling_last(expanding"),
        ("expanding_nunique", "a.rolling_nunique(expanding"),
        ("str.strip", ".strip"),
        ("str.lstrip", "strip"),
        ("str.rstrip", "strip"),
        ("str.concat_ws", "\"2024-01-31\", ignore nulls)"),
        ("str.like", "a.str().like"),
        ("str.not_like", "!a.str().like"),
        ("str.ilike", "like"),
        ("dt.add_years", ".add_months(1.checked_mul(12))"),
        ("concat_list", "a.list().concat("),
        ("list.get_at", "a.list().get("),
        ("list.get_at_checked", "a.list().get_checked("),
        ("list.first", "a.list().get(0)"),
        ("list.last", "a.list().get(-1)"),
        ("list.head", "a.list().slice(0, 1)"),
        ("list.tail", "a.list().slice(-1, ..)"),
    ];
    for function in all() {
        let (min, max) = function.arguments;
        // Of a function with a limit all combinations of five arguments are few enough.
        let most = if max == usize::MAX { min + 2 } else { max.min(min.max(5)).min(min + 2) };
        for count in [min, most] {
            let made = called_somehow(function.name, count);
            let text = made.unwrap_or_else(|| panic!("{} of {count}", function.name)).expr.to_string();
            let (_, method) = function.name.split_once('.').unwrap_or(("", function.name));
            let other = MADE_OF_OTHERS.iter().find(|(name, _)| *name == function.name);
            let shown = other.map_or_else(|| format!("{method}("), |(_, shown)| (*shown).to_owned());
            assert!(text.contains(&shown), "{} is {text}", function.name);
        }
    }
}

/// Nodes are counted as often as they occur: calls of calls do not grow beyond what is counted.
#[test]
fn nodes_of_nested_calls_are_counted() {
    for function in all() {
        let (min, max) = function.arguments;
        for count in [min.max(1), max.clamp(1, min + 2)] {
            let one = parse("1").expect("a constant");
            let mut made = parse("a").expect("a column");
            for _ in 0..8 {
                let mut arguments = vec![one.clone(); count];
                arguments[0] = made.clone();
                match Expression::call(function.name, &arguments) {
                    Ok(called) => made = called,
                    // Not of a column, or not of integers.
                    Err(_) => break,
                }
            }
            let (nodes, text) = (made.nodes, made.expr.to_string());
            assert!(text.len() <= 40 + 40 * nodes, "{}: {} bytes, {nodes} nodes", function.name, text.len());
        }
    }
}

#[test]
fn between_is_an_operator_and_a_function() {
    let text = |text: &str| parse(text).map(|parsed| parsed.expr.to_string());
    let expected = text("a between 1 and b + 2").expect("an operator");
    assert_eq!(text("between(a, 1, b + 2)").expect("a function"), expected);
    assert_eq!(text("not Between(a, 1, b + 2)").ok(), text("not (a between 1 and b + 2)").ok());
    for wrong in
        ["between", "between + 1", "between()", "between(a)", "between(a, 1, 2, 3)", "a between(1, 2)"]
    {
        assert!(parse(wrong).is_err(), "{wrong}");
    }
}
