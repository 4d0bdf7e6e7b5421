//! The questions, each over the columns it reads.

use columnade::{DataFrame, Merge, Result, col, len};

/// One question of db-benchmark.
#[derive(Debug)]
pub(crate) struct Question {
    /// `g1` to `g10` of the group-by task, `j1` to `j5` of the join task.
    pub(crate) name: &'static str,
    /// What it asks for.
    pub(crate) title: &'static str,
    /// What it reads.
    pub(crate) inputs: &'static [Input],
    /// The columns of the result whose sums db-benchmark records as a check.
    pub(crate) measures: &'static [&'static str],
    /// The question over frames that hold those columns, in the order of `inputs`.
    pub(crate) run: fn(&[DataFrame]) -> Result<DataFrame>,
}

/// The columns that a question reads of one table.
#[derive(Debug)]
pub(crate) struct Input {
    /// The table.
    pub(crate) table: &'static str,
    /// The columns with numbers.
    pub(crate) numbers: &'static [&'static str],
    /// The columns with strings.
    pub(crate) strings: &'static [&'static str],
}

const fn groups(strings: &'static [&'static str], numbers: &'static [&'static str]) -> Input {
    Input { table: "g1", numbers, strings }
}

const X: Input = Input { table: "x", numbers: &["id1", "id2", "id3", "v1"], strings: &["id4", "id5", "id6"] };
const SMALL: Input = Input { table: "small", numbers: &["id1", "v2"], strings: &["id4"] };
const MEDIUM: Input = Input { table: "medium", numbers: &["id1", "id2", "v2"], strings: &["id4", "id5"] };
const BIG: Input =
    Input { table: "big", numbers: &["id1", "id2", "id3", "v2"], strings: &["id4", "id5", "id6"] };

/// Every question. A null is a key of its own.
pub(crate) static ALL: [Question; 15] = [
    Question {
        name: "g1",
        title: "sum v1 by id1",
        inputs: &[groups(&["id1"], &["v1"])],
        measures: &["v1"],
        run: |tables| tables[0].group_by("id1").dropna(false).agg(col("v1").sum()),
    },
    Question {
        name: "g2",
        title: "sum v1 by id1:id2",
        inputs: &[groups(&["id1", "id2"], &["v1"])],
        measures: &["v1"],
        run: |tables| tables[0].group_by(["id1", "id2"]).dropna(false).agg(col("v1").sum()),
    },
    Question {
        name: "g3",
        title: "sum v1 mean v3 by id3",
        inputs: &[groups(&["id3"], &["v1", "v3"])],
        measures: &["v1", "v3"],
        run: |tables| tables[0].group_by("id3").dropna(false).agg([col("v1").sum(), col("v3").mean()]),
    },
    Question {
        name: "g4",
        title: "mean v1:v3 by id4",
        inputs: &[groups(&[], &["id4", "v1", "v2", "v3"])],
        measures: &["v1", "v2", "v3"],
        run: |tables| {
            let means = ["v1", "v2", "v3"].map(|label| col(label).mean());
            tables[0].group_by("id4").dropna(false).agg(means)
        },
    },
    Question {
        name: "g5",
        title: "sum v1:v3 by id6",
        inputs: &[groups(&[], &["id6", "v1", "v2", "v3"])],
        measures: &["v1", "v2", "v3"],
        run: |tables| {
            let sums = ["v1", "v2", "v3"].map(|label| col(label).sum());
            tables[0].group_by("id6").dropna(false).agg(sums)
        },
    },
    Question {
        name: "g6",
        title: "median v3 sd v3 by id4 id5",
        inputs: &[groups(&[], &["id4", "id5", "v3"])],
        measures: &["median_v3", "sd_v3"],
        run: |tables| {
            let statistics = [col("v3").median().alias("median_v3"), col("v3").std().alias("sd_v3")];
            tables[0].group_by(["id4", "id5"]).dropna(false).agg(statistics)
        },
    },
    Question {
        name: "g7",
        title: "max v1 - min v2 by id3",
        inputs: &[groups(&["id3"], &["v1", "v2"])],
        measures: &["range_v1_v2"],
        run: |tables| {
            let range = col("v1").max() - col("v2").min();
            tables[0].group_by("id3").dropna(false).agg(range.alias("range_v1_v2"))
        },
    },
    Question {
        name: "g8",
        title: "largest two v3 by id6",
        inputs: &[groups(&[], &["id6", "v3"])],
        measures: &["largest2_v3"],
        run: |tables| {
            let valued = tables[0].group_by("id6").dropna(false).rows_where(col("v3").is_not_null());
            valued.agg(col("v3").top_k(2).alias("largest2_v3"))
        },
    },
    Question {
        name: "g9",
        title: "regression v1 v2 by id2 id4",
        inputs: &[groups(&["id2"], &["id4", "v1", "v2"])],
        measures: &["r2"],
        run: |tables| {
            let r = col("v1").corr(col("v2"));
            tables[0].group_by(["id2", "id4"]).dropna(false).agg((r.clone() * r).alias("r2"))
        },
    },
    Question {
        name: "g10",
        title: "sum v3 count by id1:id6",
        inputs: &[groups(&["id1", "id2", "id3"], &["id4", "id5", "id6", "v3"])],
        measures: &["v3", "count"],
        run: |tables| {
            let keys = ["id1", "id2", "id3", "id4", "id5", "id6"];
            tables[0].group_by(keys).dropna(false).agg([col("v3").sum(), len().alias("count")])
        },
    },
    Question {
        name: "j1",
        title: "small inner on int",
        inputs: &[X, SMALL],
        measures: &["v1", "v2"],
        run: |tables| tables[0].merge(&tables[1], &Merge::inner().on("id1")),
    },
    Question {
        name: "j2",
        title: "medium inner on int",
        inputs: &[X, MEDIUM],
        measures: &["v1", "v2"],
        run: |tables| tables[0].merge(&tables[1], &Merge::inner().on("id2")),
    },
    Question {
        name: "j3",
        title: "medium outer on int",
        inputs: &[X, MEDIUM],
        measures: &["v1", "v2"],
        run: |tables| tables[0].merge(&tables[1], &Merge::left().on("id2")),
    },
    Question {
        name: "j4",
        title: "medium inner on factor",
        inputs: &[X, MEDIUM],
        measures: &["v1", "v2"],
        run: |tables| tables[0].merge(&tables[1], &Merge::inner().on("id5")),
    },
    Question {
        name: "j5",
        title: "big inner on int",
        inputs: &[X, BIG],
        measures: &["v1", "v2"],
        run: |tables| tables[0].merge(&tables[1], &Merge::inner().on("id3")),
    },
];
