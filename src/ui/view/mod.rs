//! What the screens show: each view with its state, its answers to actions and its drawing.
//!
//! ```text
//! title   account ▸ database ▸ container …                              source, age
//! body    the view; an overlay lies over it
//! status  what happened last, how far reading is, or the line that is typed
//! footer  keys of this view, each one clickable
//! ```
//!
//! Drawing changes nothing and computes nothing of size: what a frame shows was made by [`View::settle`] after the last message.

mod choices;
pub mod design_form;
pub mod forecast;
pub mod heat;
pub mod help;
pub mod keys;
pub mod lesson;
pub mod overview;
pub mod prompt;
pub mod proposals;
pub mod replaying;
pub mod start;
#[cfg(test)]
pub mod testing;
pub mod text_pages;
pub mod trial;
pub mod what_now;

use crate::work::simulate::TriedKeys;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::analysis::heat::RangeName;
use crate::ui::kit::action::{Action, Context};
use crate::ui::kit::cx::Cx;
use crate::ui::kit::input::Pointer;
use crate::ui::kit::line::{Offers, Typing};
use crate::ui::kit::msg::{Effect, Msg, ViewId};
use crate::work::data::Exported;

/// What is told of a view.
#[derive(Clone, Copy, Debug)]
pub struct AboutView {
    pub id: ViewId,
    pub name: &'static str,
    /// The action that shows it.
    pub action: Action,
    /// Of actions that mean something in this view only.
    pub context: Option<Context>,
    /// Actions worth a place in the footer, the most needed first.
    pub hints: &'static [Action],
}

pub const VIEWS: [AboutView; 7] = [
    AboutView {
        id: ViewId::Start,
        name: "start",
        action: Action::ShowStart,
        context: None,
        hints: &[Action::Enter, Action::Open, Action::Connect, Action::ShowLesson],
    },
    AboutView {
        id: ViewId::Overview,
        name: "overview",
        action: Action::ShowOverview,
        context: None,
        hints: &[
            Action::Enter,
            Action::Filter,
            Action::SortNext,
            Action::Evidence,
            Action::NextPane,
            Action::Copy,
            Action::Export,
            Action::Zoom,
            Action::SortReverse,
        ],
    },
    AboutView {
        id: ViewId::Keys,
        name: "keys",
        action: Action::ShowKeys,
        context: Some(Context::Keys),
        hints: &[
            Action::Filter,
            Action::SortNext,
            Action::Evidence,
            Action::NextPane,
            Action::Copy,
            Action::Export,
            Action::Mark,
            Action::CopyQuery,
            Action::SortReverse,
            Action::Zoom,
        ],
    },
    AboutView {
        id: ViewId::Heat,
        name: "heat",
        action: Action::ShowHeat,
        context: Some(Context::Heat),
        hints: &[
            Action::NextMeasure,
            Action::Evidence,
            Action::Enter,
            Action::NextChart,
            Action::NextOrder,
            Action::Copy,
            Action::NextPane,
            Action::ZoomIn,
            Action::Export,
            Action::ToggleDense,
            Action::Pin,
            Action::Zoom,
            Action::CopyQuery,
        ],
    },
    AboutView {
        id: ViewId::Trial,
        name: "trial",
        action: Action::ShowTrial,
        context: Some(Context::Trial),
        hints: &[
            Action::TryKey,
            Action::Suggest,
            Action::NextKey,
            Action::NextPanel,
            Action::Assume,
            Action::LeastSuffix,
            Action::Explain,
            Action::Browse,
            Action::ChooseKey,
            Action::Export,
            Action::Copy,
        ],
    },
    AboutView {
        id: ViewId::Forecast,
        name: "forecast",
        action: Action::ShowForecast,
        context: Some(Context::Forecast),
        hints: &[
            Action::DialUp,
            Action::DialDown,
            Action::NextDial,
            Action::PlayTime,
            Action::OtherKey,
            Action::OneContainer,
            Action::NextPicture,
            Action::Evidence,
            Action::Enter,
            Action::Filter,
            Action::SortNext,
            Action::ResetDials,
            Action::Copy,
            Action::Export,
        ],
    },
    AboutView {
        id: ViewId::Lesson,
        name: "lesson",
        action: Action::ShowLesson,
        context: None,
        hints: &[Action::Enter],
    },
];

impl ViewId {
    pub fn about(self) -> &'static AboutView {
        let [start, overview, keys, heat, trial, forecast, lesson] = &VIEWS;
        match self {
            Self::Start => start,
            Self::Overview => overview,
            Self::Keys => keys,
            Self::Heat => heat,
            Self::Trial => trial,
            Self::Forecast => forecast,
            Self::Lesson => lesson,
        }
    }
}

/// What was chosen in the other views, for the one that comes up.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OtherViews {
    /// The container of each.
    pub overview: Option<u32>,
    pub keys: Option<u32>,
    pub heat: Option<u32>,
    pub forecast: Option<u32>,
    /// Keys that can be played in time beside that of the container.
    pub tried: Option<TriedKeys>,
    /// Whether the cursor of the overview is on its first container.
    pub is_first: bool,
    /// Whether a person chose a key.
    pub is_key: bool,
    /// The physical partition of that key.
    pub partition: Option<RangeName>,
}

impl OtherViews {
    /// The container that is chosen in the view one comes from.
    pub fn container_before(&self, cx: &Cx) -> Option<u32> {
        match cx.trail.last() {
            Some(ViewId::Overview) => self.overview,
            Some(ViewId::Keys) => self.keys,
            Some(ViewId::Heat) => self.heat,
            Some(ViewId::Forecast) => self.forecast,
            _ => None,
        }
    }
}

/// What lies under the pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hit {
    Action(Action),
    /// An offer of the line that is typed.
    Offer(usize),
    /// A row of the list, counted from its first row.
    Row(usize),
    /// The headings of a table, at a column counted from the left end of its rows.
    Heading(u16),
    /// A path of the documents that keys are tried on.
    Path(usize),
    /// A field in the header of the trial, by what sets it.
    Field(Action),
    /// A place of the heat map.
    Spot(heat::PointerTarget),
    /// A moment of a recording.
    Moment(usize),
}

/// What every view can do; what it does not care for does nothing.
pub trait View {
    /// Makes what the next frame shows, after every message.
    fn settle(&mut self, cx: &Cx, body: Rect) -> Vec<Effect>;

    fn draw(&self, cx: &Cx, body: Rect, buffer: &mut Buffer);

    /// What an action means to the view.
    fn act(&mut self, cx: &Cx, action: Action) -> Vec<Effect>;

    /// What lies under the pointer.
    fn hit(&self, cx: &Cx, body: Rect, column: u16, row: u16) -> Option<Hit>;

    /// A click on it: chooses it, or opens what is chosen already.
    fn click(&mut self, cx: &Cx, hit: Hit) -> Vec<Effect>;

    /// Whether what was wanted is not there yet.
    fn is_waiting(&self) -> bool {
        false
    }

    /// The container that is shown or chosen.
    fn container(&self) -> Option<u32> {
        None
    }

    /// Other data is there, or more of the same.
    fn on_data(&mut self, _cx: &Cx) -> Vec<Effect> {
        Vec::new()
    }

    /// What came of what views asked for: of this one, or of another.
    fn answer(&mut self, _cx: &Cx, _msg: &Msg) -> Vec<Effect> {
        Vec::new()
    }

    /// The view comes up.
    fn on_shown(&mut self, _cx: &Cx, _others: &OtherViews) -> Vec<Effect> {
        Vec::new()
    }

    /// Names are masked from now on, or no more.
    fn on_names_changed(&mut self, _cx: &Cx) {}

    /// A step back inside the view, if there is one: out of a zoomed pane, out of a filter.
    fn step_back(&mut self, _cx: &Cx) -> Option<Vec<Effect>> {
        None
    }

    /// The pointer moves with its button held.
    fn drag(&mut self, _cx: &Cx, _body: Rect, _pointer: Pointer) {}

    /// The button is let go.
    fn release(&mut self, _cx: &Cx) -> Vec<Effect> {
        Vec::new()
    }

    /// The wheel zooms at what is under the pointer; false where it zooms nothing.
    fn point_at(&mut self, _cx: &Cx, _body: Rect, _pointer: Pointer) -> bool {
        false
    }

    fn filter_text(&self) -> String {
        String::new()
    }

    /// Narrows the rows; called with every letter that is typed.
    fn set_filter(&mut self, _cx: &Cx, _text: &str, _typing: Typing) -> Vec<Effect> {
        Vec::new()
    }

    fn filter_offers(&self, _cx: &Cx, _text: &str, _cursor: usize) -> Offers {
        Offers::default()
    }

    /// Columns that the rows can be sorted by.
    fn sort_columns(&self) -> &'static [&'static str] {
        &[]
    }

    fn sort_by(&mut self, _cx: &Cx, _column: &str) -> Vec<Effect> {
        Vec::new()
    }

    /// The file name that an export offers.
    fn export_name(&self) -> &'static str {
        "cosmoscope-overview.csv"
    }

    /// What goes to a file, or why nothing does.
    fn exported(&self, cx: &Cx) -> Result<Exported, &'static str>;
}

/// Every view with its state.
#[derive(Debug, Default)]
pub struct Views {
    pub start: start::StartState,
    pub overview: overview::OverviewState,
    pub keys: keys::KeysState,
    pub heat: heat::HeatState,
    pub trial: trial::TrialState,
    pub forecast: forecast::ForecastState,
    pub lessons: lesson::LessonsState,
}

impl Views {
    pub fn one(&self, id: ViewId) -> &dyn View {
        match id {
            ViewId::Start => &self.start,
            ViewId::Overview => &self.overview,
            ViewId::Keys => &self.keys,
            ViewId::Heat => &self.heat,
            ViewId::Trial => &self.trial,
            ViewId::Forecast => &self.forecast,
            ViewId::Lesson => &self.lessons,
        }
    }

    pub fn one_mut(&mut self, id: ViewId) -> &mut dyn View {
        match id {
            ViewId::Start => &mut self.start,
            ViewId::Overview => &mut self.overview,
            ViewId::Keys => &mut self.keys,
            ViewId::Heat => &mut self.heat,
            ViewId::Trial => &mut self.trial,
            ViewId::Forecast => &mut self.forecast,
            ViewId::Lesson => &mut self.lessons,
        }
    }

    /// In the order in which they are told of data.
    pub fn all_mut(&mut self) -> [&mut dyn View; 7] {
        let Self { start, overview, keys, heat, trial, forecast, lessons } = self;
        [start, overview, heat, trial, keys, forecast, lessons]
    }
}

/// What inputs without any container are answered with.
const NO_CONTAINER: &str = "The inputs name no container. Sizes of keys come from the diagnostic log \
    PartitionKeyStatistics: export its table CDBPartitionKeyStatistics from Log Analytics, or the files of a storage \
    account, and open them here.";

/// Why there is no container to show.
fn no_container(cx: &Cx) -> String {
    let data = cx.data.as_ref();
    let Some(watched) = data.and_then(|data| data.watched.as_ref()) else {
        return NO_CONTAINER.to_owned();
    };
    match watched.in_the_way().next() {
        None => "The account reports no container.".to_owned(),
        Some((_, _, trouble)) => {
            let what = cx.mask.text(&trouble.what);
            let next = trouble.next.as_deref().map(|next| cx.mask.text(next));
            let next = next.map_or_else(String::new, |next| format!(" – {next}"));
            format!("The account reports no container: {what}{next}.")
        }
    }
}
