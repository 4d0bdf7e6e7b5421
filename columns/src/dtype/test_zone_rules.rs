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
