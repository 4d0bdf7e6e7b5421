//! The rules of time zones against the library, instant by instant.

use super::TimeZone;
use super::zone_rules::{REPEAT_AT, REPEAT_FROM};
use columnade_tests::Rng;
use jiff::Timestamp;

/// Zones with half hours, changes of the day, no rules, rules of both hemispheres and negative summer time.
const ZONES: [&str; 16] = [
    "Europe/Berlin",
    "Europe/Dublin",
    "America/New_York",
    "America/Sao_Paulo",
    "America/St_Johns",
    "Asia/Kolkata",
    "Asia/Kathmandu",
    "Asia/Tokyo",
    "Australia/Lord_Howe",
    "Australia/Sydney",
    "Africa/Casablanca",
    "Africa/Monrovia",
    "Pacific/Apia",
    "Pacific/Kiritimati",
    "Antarctica/Troll",
    "Etc/GMT+5",
];

#[test]
fn offsets_of_zones_equal_those_of_the_library_at_every_instant() {
    let mut rng = Rng::new(17);
    for name in ZONES {
        let zone = jiff::tz::TimeZone::get(name).unwrap();
        let offsets = TimeZone::new(name).unwrap().offsets().unwrap();
        let check = |second: i64| {
            let expected = zone.to_offset(Timestamp::from_second(second).unwrap()).seconds();
            assert_eq!(offsets.at(second), expected, "{name} at {second}");
        };
        // Around every transition up to the year 2700, and where the table repeats.
        let transitions = zone.following(Timestamp::MIN).map(|transition| transition.timestamp().as_second());
        for second in transitions.take_while(|second| *second < 23_000_000_000) {
            for near in [second - 1, second, second + 1, second + 3600] {
                check(near);
            }
        }
        for second in [REPEAT_FROM, REPEAT_AT] {
            (-2..3).for_each(|near| check(second + near * 43_200));
        }
        for _ in 0..20_000 {
            // 1900 to 2100, and all years that the library has.
            check(-2_208_988_800 + i64::try_from(rng.below(6_311_433_600)).unwrap());
            check(-377_000_000_000 + i64::try_from(rng.below(630_000_000_000)).unwrap());
        }
    }
}

#[test]
fn offsets_of_fixed_and_unknown_zones() {
    for (name, seconds) in [("UTC", 0), ("+05:30", 19_800), ("-08", -28_800), ("Etc/UTC", 0), ("Z", 0)] {
        assert_eq!(TimeZone::new(name).unwrap().offsets().unwrap().at(i64::MAX), seconds, "{name}");
    }
    let error = TimeZone::new("Europe/Atlantis").unwrap().offsets().unwrap_err().to_string();
    assert!(error.contains("Europe/Atlantis") && error.contains("IANA"), "{error}");
}

#[test]
fn abbreviations_are_those_of_python() {
    // datetime.astimezone(zoneinfo.ZoneInfo(…)).tzname() of Python 3.11.
    for (zone, instant, expected) in [
        ("Europe/Berlin", 1_698_539_400, "CEST"),
        ("Europe/Berlin", 1_698_543_000, "CET"),
        ("America/Sao_Paulo", 1_704_067_200, "-03"),
        ("Asia/Kolkata", 1_704_067_200, "IST"),
        ("America/New_York", -15_897_600, "EDT"),
        // Which had British Standard Time all year.
        ("Europe/London", 0, "BST"),
        ("UTC", 0, "UTC"),
        ("GMT", 0, "GMT"),
        ("+05:30", 0, "UTC+05:30"),
        ("-03", 7, "UTC-03:00"),
        // July of 2503, by the rules of 2103, and instants that no calendar has.
        ("Europe/Berlin", 16_837_632_000, "CEST"),
        ("Europe/Berlin", i64::MAX, "CEST"),
        ("Europe/Berlin", i64::MIN, "LMT"),
    ] {
        let zone = TimeZone::new(zone).unwrap();
        let found = zone.abbreviations([Some(instant), None]).unwrap();
        if instant.unsigned_abs() < 1 << 62 {
            assert_eq!(found, [Some(expected.to_owned()), None], "{zone} at {instant}");
        } else {
            assert_eq!(found[1], None);
        }
    }
    assert!(TimeZone::new("Europe/Atlantis").unwrap().abbreviations([]).is_err());
}
