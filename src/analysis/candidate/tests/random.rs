//! Random keys and texts: what is written reads back, and nothing typed stops the program.

use std::num::NonZeroU32;

use proptest::prelude::*;

use super::*;

const NAME: &str = "[a-zA-Z_]{1,4}|[a-z ./\"\\\\+>(,é漢\u{202e}\u{7}-]{0,5}";

fn count(most: u32) -> impl Strategy<Value = NonZeroU32> {
    (1..=most).prop_map(|n| NonZeroU32::new(n).unwrap())
}

fn any_path() -> impl Strategy<Value = Path> {
    prop::collection::vec(NAME, 1..4).prop_map(|names| names.into_iter().collect())
}

fn any_part() -> impl Strategy<Value = LevelPart> {
    let unit = prop::sample::select(DateUnit::ALL.to_vec());
    prop_oneof![
        any_path().prop_map(LevelPart::Path),
        "\\PC{0,6}|[\"\\\\\u{0}\u{1f}\u{202e}+>/ -]{0,4}"
            .prop_map(|text| LevelPart::Literal(text.into())),
        (any_path(), unit).prop_map(|(path, unit)| LevelPart::Date { path, unit }),
        (any_path(), count(MAX_PREFIX_CHARACTERS))
            .prop_map(|(path, characters)| LevelPart::Prefix { path, characters }),
        any_path().prop_map(LevelPart::Lower),
        count(MAX_BUCKETS).prop_map(|buckets| LevelPart::Random { buckets }),
        (any_path(), count(MAX_BUCKETS))
            .prop_map(|(path, buckets)| LevelPart::Bucket { path, buckets }),
    ]
}

fn any_candidate() -> impl Strategy<Value = Candidate> {
    let level = prop::collection::vec(any_part(), 1..5).prop_map(|parts| Level { parts });
    prop::collection::vec(level, 1..=MAX_LEVELS).prop_map(|levels| Candidate { levels })
}

fn any_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Undefined),
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<f64>().prop_map(|n| Number::new(n).map_or(Value::Undefined, Value::Number)),
        (0_i64..4_000_000_000)
            .prop_map(|n| Value::Number(Number::from_text(&n.to_string()).unwrap())),
        "\\PC{0,8}|20[0-9]{2}-[01][0-9]-[0-3][0-9]".prop_map(|text| Value::Text(text.into())),
        Just(Value::Other("[1]".into())),
    ]
}

proptest! {
    #[test]
    fn what_is_written_reads_back(candidate in any_candidate()) {
        let text = candidate.to_string();
        prop_assert_eq!(parse(&text), ParsedKey::Complete(candidate), "{}", text);
    }

    #[test]
    fn every_start_of_a_key_can_go_on(candidate in any_candidate(), cut in 0_usize..200) {
        let text = candidate.to_string();
        let start: String = text.chars().take(cut).collect();
        // Inside a code such as \u202e of a name the closing quote is what is expected, too.
        let is_open = !matches!(parse(&start), ParsedKey::Wrong(_));
        prop_assert!(is_open, "{start}: {:?}", parse(&start));
    }

    #[test]
    fn what_is_offered_is_never_a_slip(
        candidate in any_candidate(),
        cut in 0_usize..200,
        paths in prop::collection::vec(any_path(), 0..4),
    ) {
        let text = candidate.to_string();
        let start: String = text.chars().take(cut).collect();
        let known: Vec<KnownPath> = paths
            .into_iter()
            .map(|path| KnownPath { path, kind: PathKind::Text })
            .collect();
        for offer in complete(&start, start.chars().count(), &known) {
            let kept: String = start.chars().take(offer.replaces.start).collect();
            let taken = format!("{kept}{}", offer.text);
            prop_assert!(!matches!(parse(&taken), ParsedKey::Wrong(_)), "{taken}: {:?}", parse(&taken));
        }
    }

    #[test]
    fn nothing_typed_stops_it(text in "[ +>(),/\"a-z0-9é\\\\]{0,24}|\\PC{0,24}", cursor in 0_usize..30) {
        complete(&text, cursor, &[]);
        match parse(&text) {
            ParsedKey::Complete(candidate) => {
                let again = candidate.to_string();
                prop_assert_eq!(parse(&again), ParsedKey::Complete(candidate));
            }
            ParsedKey::Incomplete(e) | ParsedKey::Wrong(e) => prop_assert!(e.column <= text.chars().count()),
        }
    }

    #[test]
    fn a_key_has_a_value_for_each_level(candidate in any_candidate(), value in any_value(), seed in any::<u64>()) {
        let key = |document| candidate.key(&|_| value.clone(), &mut Draws::of(seed, document));
        let made = key(1);
        prop_assert_eq!(made.parts().len(), candidate.levels.len());
        prop_assert_eq!(made.canonical(), key(1).canonical());
        for (level, part) in candidate.levels.iter().zip(made.parts()) {
            let is_fine = match part {
                Value::Other(_) => false,
                Value::Text(_) | Value::Undefined => true,
                _ => level.path().is_some(),
            };
            prop_assert!(is_fine, "{level} {part:?}");
        }
    }

    #[test]
    fn equal_values_make_equal_keys(candidate in any_candidate(), whole in 0_u32..1_000_000) {
        // The same double, written in two ways: what is folded by dictionary codes must not depend on the spelling.
        let key = |text: String| {
            let value = Value::Number(Number::from_text(&text).unwrap());
            candidate.key(&|_| value.clone(), &mut Draws::of(1, 1)).canonical()
        };
        prop_assert_eq!(key(whole.to_string()), key(format!("{whole}.0")));
    }
}
