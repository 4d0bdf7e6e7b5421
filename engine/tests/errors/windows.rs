//! Windows of all columns.

use columnade::expressions::ExponentialWindow;

use super::{Case, called, frame};

pub(crate) fn cases() -> Vec<Case> {
    let frame = frame();
    vec![
        called(
            "dataframe::exponential::mean",
            "ewm.mean",
            &["\"z\""],
            frame.ewm(ExponentialWindow::com(1.0)).columns("z").mean(),
        ),
        called(
            "dataframe::exponential::var",
            "ewm.var",
            &["k.ewm_var(com 1)", "utf8"],
            frame.ewm(ExponentialWindow::com(1.0)).columns("k").var(),
        ),
        called(
            "dataframe::exponential::std",
            "ewm.std",
            &["2 is not more than 0"],
            frame.ewm(ExponentialWindow::alpha(2.0)).std(),
        ),
    ]
}
