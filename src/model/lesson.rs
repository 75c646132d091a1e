//! A lesson: steps on the screens, each a sentence and the state of the screen that it is about.

/// A course, in the order in which it is told.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lesson {
    /// By which it is opened: built in, or the file without its folder.
    pub name: String,
    pub title: String,
    /// What one knows after it.
    pub about: String,
    pub steps: Vec<LessonStep>,
}

/// One sentence, and what the screen shows beside it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LessonStep {
    /// A built-in scenario or a design, by the name under which it is opened.
    pub scenario: &'static str,
    pub container: Option<String>,
    /// Everything that is done from the scenario as it opens, in the words of the palette.
    pub commands: Vec<String>,
    /// How many of them the step before has done already; none where it begins afresh.
    pub shared: Option<usize>,
    /// With figures in braces: `{largest-size}`.
    pub say: String,
    /// What on the screen stands out: a text with figures.
    pub mark: Option<String>,
    /// Actions by name that may be tried here.
    pub knob: Vec<String>,
    pub question: Option<LessonQuestion>,
    /// Verdicts, remedies, proposals and the figures that decide them wait for the answer.
    pub is_hidden: bool,
    /// For the presenter alone.
    pub note: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LessonQuestion {
    pub ask: String,
    /// With figures in braces.
    pub answer: String,
}

/// A text with its figures: each `{name}` or `{name: what of}` is replaced by what `figure` knows of it, which may be nothing.
pub fn with_figures(text: &str, mut figure: impl FnMut(&str, &str) -> String) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('{') {
        out.push_str(before);
        let Some((named, further)) = behind.split_once('}') else {
            out.push('{');
            rest = behind;
            continue;
        };
        let (name, of) = named.split_once(':').unwrap_or((named, ""));
        out.push_str(&figure(name.trim(), of.trim()));
        rest = further;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_take_the_place_of_their_names_and_nothing_else_changes() {
        let filled = |text| with_figures(text, |name, of| format!("<{name}|{of}>"));
        let cases = [
            ("no figure", "no figure"),
            ("{a} and {b: c, d}", "<a|> and <b|c, d>"),
            ("{unfinished", "{unfinished"),
            ("} {x}", "} <x|>"),
        ];
        for (text, expected) in cases {
            assert_eq!(filled(text), expected);
        }
    }
}
