//! What the terminal reports, as what a person did; whatever the screens have no use for is dropped here.

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

use crate::ui::kit::input::{Chord, Code, InputEvent, Modifier, MouseAct, Pointer, Size};

/// Nobody types longer lines, and a clipboard can hold anything.
const MAX_PASTE_BYTES: usize = 64 << 10;

/// What a person did, if it is anything the screens know.
pub fn input(event: Event) -> Option<InputEvent> {
    match event {
        Event::Key(key) => chord(key).map(InputEvent::Key),
        Event::Mouse(mouse) => pointer(mouse).map(InputEvent::Pointer),
        Event::Paste(text) => Some(InputEvent::Paste(limited(text))),
        // Elsewhere a signal tells of it: while half a sequence or a byte that is no key waits for more, this does not come.
        Event::Resize(width, height) if cfg!(windows) => {
            Some(InputEvent::Resized(Size::clamped(width, height)))
        }
        Event::Resize(..) | Event::FocusGained | Event::FocusLost => None,
    }
}

fn limited(mut text: String) -> String {
    let fits = |end: &usize| text.is_char_boundary(*end);
    let end = (0..=MAX_PASTE_BYTES.min(text.len())).rev().find(fits);
    text.truncate(end.unwrap_or_default());
    text
}

fn chord(key: KeyEvent) -> Option<Chord> {
    // Terminals that tell of keys let go would else run everything twice.
    if key.kind == KeyEventKind::Release {
        return None;
    }
    let held = key.modifiers;
    match key.code {
        KeyCode::Char(c) => Some(character(c, held)),
        KeyCode::BackTab => Some(Chord::plain(Code::BackTab)),
        KeyCode::Tab if held.contains(KeyModifiers::SHIFT) => Some(Chord::plain(Code::BackTab)),
        other => Some(Chord::new(code(other)?, beside(held))),
    }
}

/// Shift is part of a printed character; some terminals send the small letter and say that shift is held.
fn character(c: char, held: KeyModifiers) -> Chord {
    let control = held & (KeyModifiers::CONTROL | KeyModifiers::ALT);
    if control.is_empty() {
        let capital = if held.contains(KeyModifiers::SHIFT) { upper(c) } else { c };
        return Chord::plain(Code::Char(capital));
    }
    // With Ctrl most terminals cannot tell shift: Ctrl-R and Ctrl-r are one chord.
    let small = if control.contains(KeyModifiers::CONTROL) {
        c.to_ascii_lowercase()
    } else if held.contains(KeyModifiers::SHIFT) {
        upper(c)
    } else {
        c
    };
    Chord::new(Code::Char(small), beside(control))
}

/// The capital letter, where there is just one.
fn upper(c: char) -> char {
    let mut capitals = c.to_uppercase();
    match (capitals.next(), capitals.next()) {
        (Some(capital), None) => capital,
        _ => c,
    }
}

fn beside(held: KeyModifiers) -> Modifier {
    let has = |one| held.contains(one);
    match (has(KeyModifiers::CONTROL), has(KeyModifiers::ALT), has(KeyModifiers::SHIFT)) {
        (true, true, _) => Modifier::CtrlAlt,
        (true, false, _) => Modifier::Ctrl,
        (false, true, _) => Modifier::Alt,
        (false, false, true) => Modifier::Shift,
        (false, false, false) => Modifier::Nothing,
    }
}

fn code(code: KeyCode) -> Option<Code> {
    Some(match code {
        KeyCode::Enter => Code::Enter,
        KeyCode::Esc => Code::Esc,
        KeyCode::Tab => Code::Tab,
        KeyCode::Backspace => Code::Backspace,
        KeyCode::Delete => Code::Delete,
        KeyCode::Insert => Code::Insert,
        KeyCode::Up => Code::Up,
        KeyCode::Down => Code::Down,
        KeyCode::Left => Code::Left,
        KeyCode::Right => Code::Right,
        KeyCode::Home => Code::Home,
        KeyCode::End => Code::End,
        KeyCode::PageUp => Code::PageUp,
        KeyCode::PageDown => Code::PageDown,
        KeyCode::F(number) => Code::F(number),
        _ => return None,
    })
}

fn pointer(mouse: MouseEvent) -> Option<Pointer> {
    let did = match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => MouseAct::Click,
        MouseEventKind::Drag(MouseButton::Left) => MouseAct::Drag,
        MouseEventKind::Up(MouseButton::Left) => MouseAct::Release,
        MouseEventKind::ScrollUp if mouse.modifiers.contains(KeyModifiers::CONTROL) => {
            MouseAct::ZoomIn
        }
        MouseEventKind::ScrollDown if mouse.modifiers.contains(KeyModifiers::CONTROL) => {
            MouseAct::ZoomOut
        }
        MouseEventKind::ScrollUp => MouseAct::WheelUp,
        MouseEventKind::ScrollDown => MouseAct::WheelDown,
        _ => return None,
    };
    let inside = mouse.column < Size::LARGEST.width && mouse.row < Size::LARGEST.height;
    inside.then_some(Pointer { column: mouse.column, row: mouse.row, did })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(code: KeyCode, held: KeyModifiers) -> Option<String> {
        match input(Event::Key(KeyEvent::new(code, held))) {
            Some(InputEvent::Key(chord)) => Some(chord.to_string()),
            _ => None,
        }
    }

    #[test]
    fn chords_are_those_of_the_key_table() {
        let (none, shift) = (KeyModifiers::NONE, KeyModifiers::SHIFT);
        let (ctrl, alt) = (KeyModifiers::CONTROL, KeyModifiers::ALT);
        for (code, held, expected) in [
            (KeyCode::Char('g'), none, "g"),
            (KeyCode::Char('G'), shift, "G"),
            (KeyCode::Char('g'), shift, "G"),
            (KeyCode::Char('G'), none, "G"),
            (KeyCode::Char('ü'), shift, "Ü"),
            (KeyCode::Char('ß'), shift, "ß"),
            (KeyCode::Char('?'), shift, "?"),
            (KeyCode::Char(' '), none, "space"),
            (KeyCode::Char('r'), ctrl, "ctrl-r"),
            (KeyCode::Char('R'), ctrl | shift, "ctrl-r"),
            (KeyCode::Char('b'), alt, "alt-b"),
            (KeyCode::Char('b'), alt | shift, "alt-B"),
            (KeyCode::Char('h'), ctrl | alt, "ctrl-alt-h"),
            (KeyCode::BackTab, shift, "shift-tab"),
            (KeyCode::BackTab, none, "shift-tab"),
            (KeyCode::Tab, shift, "shift-tab"),
            (KeyCode::Tab, none, "tab"),
            (KeyCode::Left, ctrl, "ctrl-left"),
            (KeyCode::PageDown, none, "page-down"),
            (KeyCode::F(5), none, "f5"),
        ] {
            let found = typed(code, held);
            assert_eq!(found.as_deref(), Some(expected), "{code:?} {held:?}");
            assert_eq!(Chord::parse(expected).map(|c| c.to_string()).as_deref(), Some(expected));
        }
        assert_eq!(typed(KeyCode::CapsLock, none), None);
    }

    #[test]
    fn a_key_let_go_is_no_key() {
        let mut key = KeyEvent::new(KeyCode::Char('j'), KeyModifiers::NONE);
        key.kind = KeyEventKind::Release;
        assert_eq!(input(Event::Key(key)), None);
        key.kind = KeyEventKind::Repeat;
        assert!(input(Event::Key(key)).is_some());
    }

    #[test]
    fn the_mouse_clicks_drags_and_turns_its_wheel() {
        let held = |kind, column, modifiers| {
            let row = 7;
            input(Event::Mouse(MouseEvent { kind, column, row, modifiers }))
        };
        let mouse = |kind, column| held(kind, column, KeyModifiers::NONE);
        let click = MouseEventKind::Down(MouseButton::Left);
        assert_eq!(
            mouse(click, 3),
            Some(InputEvent::Pointer(Pointer { column: 3, row: 7, did: MouseAct::Click }))
        );
        assert!(mouse(MouseEventKind::ScrollDown, 3).is_some());
        let did = |input| match input {
            Some(InputEvent::Pointer(pointer)) => Some(pointer.did),
            _ => None,
        };
        let drag = MouseEventKind::Drag(MouseButton::Left);
        assert_eq!(did(mouse(drag, 3)), Some(MouseAct::Drag));
        let release = MouseEventKind::Up(MouseButton::Left);
        assert_eq!(did(mouse(release, 3)), Some(MouseAct::Release));
        let zoom = held(MouseEventKind::ScrollUp, 3, KeyModifiers::CONTROL);
        assert_eq!(did(zoom), Some(MouseAct::ZoomIn));
        assert_eq!(mouse(MouseEventKind::Drag(MouseButton::Right), 3), None);
        assert_eq!(mouse(MouseEventKind::Moved, 3), None);
        assert_eq!(mouse(MouseEventKind::Down(MouseButton::Right), 3), None);
        // A place that the terminal cannot mean.
        assert_eq!(mouse(click, u16::MAX), None);
    }

    #[test]
    fn a_paste_is_cut_between_characters() {
        let text = "ä".repeat(MAX_PASTE_BYTES);
        let Some(InputEvent::Paste(kept)) = input(Event::Paste(format!("a{text}"))) else {
            unreachable!("a paste is a paste");
        };
        assert_eq!(kept.len(), MAX_PASTE_BYTES - 1);
        let resized = InputEvent::Resized(Size { width: 1000, height: 0 });
        assert_eq!(input(Event::Resize(u16::MAX, 0)), cfg!(windows).then_some(resized));
    }
}
