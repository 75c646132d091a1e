//! A frame with a title around a part of the screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::text;
use super::theme::Theme;

/// Whether keys go to a part of the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Focus {
    #[default]
    Away,
    Here,
}

/// Whether one part has all the room.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Zoom {
    #[default]
    Off,
    On,
}

impl Zoom {
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Off => Self::On,
            Self::On => Self::Off,
        }
    }
}

/// What a frame says on its lines; the text is visible already.
#[derive(Clone, Debug, Default)]
pub struct Panel<'a> {
    pub title: Vec<Span<'a>>,
    /// At the right end of the upper line.
    pub aside: Vec<Span<'a>>,
    /// At the left end of the lower line.
    pub footer: Vec<Span<'a>>,
    pub focus: Focus,
}

impl<'a> Panel<'a> {
    pub fn new(title: impl Into<Span<'a>>) -> Self {
        Self { title: vec![title.into()], ..Self::default() }
    }

    #[must_use]
    pub fn aside(mut self, aside: impl Into<Span<'a>>) -> Self {
        self.aside = vec![aside.into()];
        self
    }

    #[must_use]
    pub fn footer(mut self, footer: impl Into<Span<'a>>) -> Self {
        self.footer = vec![footer.into()];
        self
    }

    #[must_use]
    pub fn focus(mut self, focus: Focus) -> Self {
        self.focus = focus;
        self
    }

    /// The room inside the frame, empty where the frame itself has no room.
    pub fn inner(area: Rect) -> Rect {
        Rect {
            x: area.x.saturating_add(1).min(area.right()),
            y: area.y.saturating_add(1).min(area.bottom()),
            width: area.width.saturating_sub(2),
            height: area.height.saturating_sub(2),
        }
    }

    /// Draws the frame and returns the room inside it.
    ///
    /// ```text
    /// ┌ title ───────── aside ┐
    /// │                       │
    /// └ footer ───────────────┘
    /// ```
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, theme: &Theme) -> Rect {
        let area = area.intersection(buffer.area);
        let inner = Self::inner(area);
        if area.width < 2 || area.height < 2 {
            return Rect { width: 0, height: 0, ..inner };
        }
        let signs = theme.glyphs.signs();
        let (frame, style) = match self.focus {
            Focus::Here => (&signs.frame_focused, theme.border_focused),
            Focus::Away => (&signs.frame, theme.border),
        };
        let line = |from: &str, to: &str| {
            let between = frame.horizontal.repeat(inner.width.into());
            [Span::styled(format!("{from}{between}{to}"), style)]
        };
        let bottom = area.height - 1;
        text::left(buffer, area, &line(frame.top_left, frame.top_right), theme);
        let lower = line(frame.bottom_left, frame.bottom_right);
        text::left(buffer, text::row(area, bottom), &lower, theme);
        let side = [Span::styled(frame.vertical, style)];
        for index in 1..bottom {
            let row = text::row(area, index);
            text::left(buffer, text::column(row, 0, 1), &side, theme);
            text::right(buffer, row, &side[..], theme);
        }
        let upper = Rect { x: inner.x, width: inner.width, ..area };
        let title = boxed(&self.title, theme.title);
        text::ends(buffer, upper, &title, &boxed(&self.aside, theme.dim), theme);
        let lower = text::row(Rect { height: area.height, ..upper }, bottom);
        text::left(buffer, lower, &boxed(&self.footer, theme.dim), theme);
        inner
    }
}

/// A blank at either end; without a style of its own a span takes the one given.
fn boxed<'a>(spans: &'a [Span], style: ratatui::style::Style) -> Vec<Span<'a>> {
    if spans.iter().all(|span| span.content.is_empty()) {
        return Vec::new();
    }
    let styled = spans.iter().map(|span| Span::styled(&*span.content, style.patch(span.style)));
    let blank = || std::iter::once(Span::raw(" "));
    blank().chain(styled).chain(blank()).collect()
}

#[cfg(test)]
mod tests {
    use ratatui::style::Modifier;

    use super::*;
    use crate::ui::kit::glyphs::Glyphs;
    use crate::ui::view::testing::{lines, theme, theme_ascii};

    fn panel() -> Panel<'static> {
        Panel::new("keys").aside("1,000").footer("3 marked")
    }

    #[test]
    fn a_frame_says_what_it_holds() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 20, 3));
        let inner = panel().draw(&mut buffer, Rect::new(0, 0, 20, 3), &theme());
        assert_eq!(inner, Rect::new(1, 1, 18, 1));
        let expected = ["┌ keys ───── 1,000 ┐", "│                  │", "└ 3 marked ────────┘"];
        assert_eq!(lines(&buffer), expected);
    }

    #[test]
    fn focus_shows_without_colour() {
        for (glyphs, corner) in [(Glyphs::Unicode, "┏"), (Glyphs::Ascii, "#")] {
            let theme = Theme { glyphs, ..theme() };
            let mut buffer = Buffer::empty(Rect::new(0, 0, 6, 2));
            let focused = Panel::new("a").focus(Focus::Here);
            focused.draw(&mut buffer, Rect::new(0, 0, 6, 2), &theme);
            assert!(lines(&buffer).concat().starts_with(corner));
        }
    }

    #[test]
    fn a_long_title_leaves_the_frame_whole() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 12, 3));
        let title = Span::styled("東京 / a very long name", Modifier::BOLD);
        Panel::new(title).footer("東京東京東京").draw(
            &mut buffer,
            Rect::new(0, 0, 12, 3),
            &theme(),
        );
        let lines = lines(&buffer);
        assert_eq!(lines, ["┌ 東京 / a…┐", "│          │", "└ 東京東京…┘"]);
    }

    #[test]
    fn in_ascii_every_cell_is() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 30, 4));
        panel().aside("±3 …").draw(&mut buffer, Rect::new(0, 0, 30, 4), &theme_ascii());
        assert!(lines(&buffer).concat().is_ascii());
    }
}
