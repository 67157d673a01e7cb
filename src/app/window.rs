//! The event loop: events in, frames out. A frame is drawn when something changed or moves, and not otherwise.

use std::sync::Arc;
use std::time::Duration;

use glam::Vec2;
use web_time::Instant;
use winit::application::ApplicationHandler;
use winit::event::{DeviceEvent, DeviceId, ElementState, KeyEvent, MouseButton, MouseScrollDelta, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoopProxy};
use winit::keyboard::{Key, PhysicalKey};
use winit::window::{Fullscreen, Window, WindowId};

use super::bindings::{self, Action};
use super::frame_times::FrameTimes;
use super::graphics::Graphics;
use super::hud;
use super::input::Input;
use super::mouse::Mouse;
use super::open::Loader;
use super::player::Player;
use super::report;
use super::screen::{HudShapes, Screen};
use super::state::{State, StateLog};
use super::touch::Thumbs;
use super::viewer::Viewer;
use super::{Options, Wake, WindowError};
use crate::render::{RenderStatistics, SkySource};

mod level;
mod take_away;

use level::title;
use take_away::{hand_out, save};

/// No motion is longer than this between two frames or keys: after a stall it goes on from where it was.
const LONGEST_STEP: Duration = Duration::from_secs(1);
/// The state is written at least this often.
const STATE_EVERY: Duration = Duration::from_millis(200);
/// How far loading is shows so often.
const PROGRESS_EVERY: Duration = Duration::from_millis(100);
/// After a frame that could not be drawn, the next try.
const RETRY_AFTER: Duration = Duration::from_millis(100);
/// So many pixels of a touchpad are a notch of the wheel.
const PIXELS_PER_NOTCH: f32 = 40.0;

/// What exists only while there is a window.
struct Opened {
    window: Arc<Window>,
    screen: Screen,
    egui: egui_winit::State,
}

pub(super) struct App {
    viewer: Viewer,
    loader: Loader,
    graphics: Graphics,
    /// What is behind the level, and how far it is turned.
    sky: (SkySource, f32),
    options: Options,
    proxy: EventLoopProxy<Wake>,
    opened: Option<Opened>,
    input: Input,
    mouse: Mouse,
    thumbs: Thumbs,
    /// It was tried: a click throws all the same.
    cannot_capture: bool,
    times: FrameTimes,
    statistics: RenderStatistics,
    state: State,
    log: Option<StateLog>,
    /// When the state was last written.
    written: Duration,
    start: Instant,
    /// Up to when motion has been worked out, while there is any.
    moved_until: Option<Duration>,
    /// When the last frame began, while frames follow each other.
    last_frame: Option<Duration>,
    /// Something has changed since the last frame.
    changed: bool,
    /// A picture is to be saved, with the display or without.
    picture: Option<bool>,
    /// When to try again to draw a frame that could not be.
    retry: Option<Duration>,
    /// When to show next how far loading is.
    progress: Duration,
    pub(super) failure: Option<WindowError>,
}

impl App {
    /// Before there is a window.
    pub(super) fn new(
        proxy: EventLoopProxy<Wake>,
        opened: super::Opened,
        mut options: Options,
        graphics: Graphics,
        log: Option<StateLog>,
    ) -> Result<App, WindowError> {
        let waker = proxy.clone();
        let wake = Arc::new(move |why| {
            // The loop may have ended already.
            let _ = waker.send_event(why);
        });
        let loader = Loader::new(
            Arc::clone(&options.open),
            std::mem::take(&mut options.path),
            options.watch.take(),
            Arc::clone(&wake) as Arc<dyn Fn(Wake) + Send + Sync>,
        );
        let loader = loader.map_err(WindowError::Watch)?;
        let super::Opened { level, tree, scene, camera, scene_camera, sky, sky_turn } = opened;
        let player = match options.replay.take() {
            Some((replay, walker)) => Player::replaying(replay, walker, options.walker),
            None => Player::new(&camera, options.walker, options.walks),
        };
        let mut viewer = Viewer::new((level, tree, scene), player, camera, Arc::new(move || wake(Wake::Tree)));
        viewer.inspect(options.inspect);
        viewer.look_through(scene_camera);
        Ok(App {
            viewer,
            loader,
            graphics,
            sky: (sky, sky_turn),
            options,
            proxy,
            opened: None,
            input: Input::default(),
            mouse: Mouse::default(),
            thumbs: Thumbs::default(),
            cannot_capture: false,
            times: FrameTimes::default(),
            statistics: RenderStatistics::default(),
            state: State::default(),
            log,
            written: Duration::ZERO,
            start: Instant::now(),
            moved_until: None,
            last_frame: None,
            changed: true,
            picture: None,
            retry: None,
            progress: Duration::ZERO,
            failure: None,
        })
    }

    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn fail(&mut self, event_loop: &ActiveEventLoop, failure: WindowError) {
        self.failure.get_or_insert(failure);
        event_loop.exit();
    }

    /// Opens the window, or only the graphics device again for the window that there is.
    fn open(&mut self, event_loop: &ActiveEventLoop) -> Result<Opened, WindowError> {
        let window = match self.opened.take() {
            Some(opened) => opened.window,
            None => {
                let attributes = self.graphics.attributes(self.options.size).with_title(title(&self.viewer));
                let window = event_loop.create_window(attributes);
                Arc::new(window.map_err(|error| WindowError::NoWindow(error.to_string()))?)
            }
        };
        let contents = (self.viewer.level(), self.viewer.tree(), self.viewer.bodies().scene().props());
        let sky = (&self.sky.0, self.sky.1);
        let device = self.graphics.open(event_loop, &window, &self.options)?;
        let screen = Screen::new(Arc::clone(&window), device, &self.options, contents, sky)?;
        let proxy = self.proxy.clone();
        screen.gpu().device.set_device_lost_callback(move |reason, _| {
            // A device that we let go of ourselves is called lost as well.
            if reason != wgpu::DeviceLostReason::Destroyed {
                let _ = proxy.send_event(Wake::DeviceLost);
            }
        });
        let kind = if screen.gpu().is_software() { ", software" } else { "" };
        self.state.adapter = format!("{}{kind}", screen.gpu().description());
        let context = egui::Context::default();
        context.set_fonts(hud::fonts());
        let most = screen.gpu().device.limits().max_texture_dimension_2d as usize;
        let egui = egui_winit::State::new(context, egui::ViewportId::ROOT, &window, None, None, Some(most));
        self.viewer.occlusion = self.options.occlusion.begins(screen.gpu());
        self.changed = true;
        Ok(Opened { window, screen, egui })
    }

    /// Moves on to the present. Also before each key, so that a short press moves as far on a slow machine as on a fast one.
    fn catch_up(&mut self, now: Duration) {
        let elapsed = self.moved_until.map_or(Duration::ZERO, |until| now - until);
        self.viewer.advance(&mut self.input, elapsed.min(LONGEST_STEP), now);
        self.moved_until = self.viewer.is_moving(&self.input).then_some(now);
    }

    /// Moves on, culls and draws.
    fn frame(&mut self) {
        let now = self.now();
        let since_last = self.last_frame.map(|last| now - last);
        if let Some(since_last) = since_last {
            self.times.add(since_last.as_secs_f32() * 1000.0);
        }
        self.catch_up(now);
        let Some(Opened { window, .. }) = &self.opened else { return };
        let size = window.inner_size();
        if size.width > 0 && size.height > 0 {
            self.viewer.set_aspect(size.width as f32 / size.height as f32);
        }
        self.viewer.cull();
        self.leave_out_hidden(now);
        self.describe();
        let Some(Opened { window, screen, egui }) = &mut self.opened else { return };
        let inset = self.viewer.has_inset().then(|| screen.inset());
        let mut shapes =
            hud_shapes(egui, window, |context| hud::draw(context, &self.state, &self.times, &self.input, inset));
        self.changed = false;
        self.retry = None;
        match screen.draw(&self.viewer.shown(), &mut shapes) {
            Some(statistics) => {
                // The display showed those of the frame before.
                self.changed |= statistics != self.statistics;
                self.statistics = statistics;
                self.state.frame += 1;
                if let Some(with_hud) = self.picture.take() {
                    let picture = screen.picture(&self.viewer.shown(), with_hud.then_some(&shapes));
                    self.changed = true;
                    self.viewer.tell(save(picture), now);
                }
            }
            None => self.retry = Some(now + RETRY_AFTER),
        }
        self.last_frame = self.viewer.is_moving(&self.input).then_some(now);
        if since_last.is_none() {
            self.times.add((self.now() - now).as_secs_f32() * 1000.0);
        }
    }

    /// Leaves out what is hidden behind nearer surfaces.
    fn leave_out_hidden(&mut self, now: Duration) {
        let Some(Opened { screen, .. }) = &mut self.opened else { return };
        let Some((tree, camera, list)) = self.viewer.what_may_hide() else { return };
        if let Err(error) = screen.leave_out_hidden(tree, &camera, list) {
            self.viewer.occlusion = false;
            self.viewer.tell(format!("what is hidden is drawn from now on: {error}"), now);
        }
    }

    /// Writes down what there is to show.
    fn describe(&mut self) {
        let now = self.now();
        let state = &mut self.state;
        self.viewer.describe(state);
        state.loading = self.loader.describe();
        state.time_ms = now.as_secs_f64() * 1000.0;
        state.frame_ms = self.times.last();
        state.frame_median_ms = self.times.percentile(0.5);
        state.frame_p99_ms = self.times.percentile(0.99);
        state.draw_calls = self.statistics.draw_calls;
        state.material_changes = self.statistics.material_changes;
        state.shadow_triangles = self.statistics.shadow_triangles;
        state.captured = self.mouse.is_captured();
        if let Some(Opened { window, .. }) = &self.opened {
            let size = window.inner_size();
            state.size = [size.width, size.height];
            state.full_screen = window.fullscreen().is_some();
        }
    }

    fn write_state(&mut self, event_loop: &ActiveEventLoop) {
        self.describe();
        self.written = self.now();
        let Some(log) = &mut self.log else { return };
        if let Err(reason) = log.write(&self.state) {
            let path = self.options.state.clone().unwrap_or_default();
            self.fail(event_loop, WindowError::State { path, reason });
        }
    }

    fn key(&mut self, event_loop: &ActiveEventLoop, event: &KeyEvent) {
        let PhysicalKey::Code(place) = event.physical_key else { return };
        let letter = match &event.logical_key {
            Key::Character(text) => text.chars().next(),
            _ => None,
        };
        let key = bindings::meant_key(place, letter);
        let shift = self.input.is_held(Action::Fast);
        let now = self.now();
        self.catch_up(now);
        match event.state {
            ElementState::Released => self.input.release_key(place),
            ElementState::Pressed if event.repeat => return,
            ElementState::Pressed => match bindings::of_key(key, shift) {
                Some(action) if action.is_held() => self.input.press_key(key),
                Some(action) => self.act(event_loop, action),
                None => return,
            },
        }
        self.moved_until = self.viewer.is_moving(&self.input).then_some(now);
        self.changed = true;
    }

    fn button(&mut self, event_loop: &ActiveEventLoop, button: MouseButton, state: ElementState) {
        match (state, bindings::of_button(button)) {
            (ElementState::Released, _) => self.input.release_button(button),
            (ElementState::Pressed, Some(action)) if action.is_held() => self.input.press_button(button),
            (ElementState::Pressed, Some(action)) => self.act(event_loop, action),
            (ElementState::Pressed, None) => return,
        }
        self.changed = true;
    }

    /// Looks around by a way of the mouse.
    fn look(&mut self, way: Vec2) {
        self.input.look(self.options.mouse.scaled(way));
        self.changed = true;
    }

    /// Does what a key that is pressed once does.
    fn act(&mut self, event_loop: &ActiveEventLoop, action: Action) {
        let now = self.now();
        let Some(Opened { window, egui, .. }) = &mut self.opened else { return };
        match action {
            Action::Release if self.viewer.end_replay(now) => {}
            Action::Release if self.mouse.is_captured() => self.mouse.release(window),
            // A page is left by the browser's own means.
            Action::Release if cfg!(target_arch = "wasm32") => {}
            Action::Release => event_loop.exit(),
            Action::Capture => {
                if self.mouse.is_captured() || self.cannot_capture {
                    return self.viewer.throw();
                }
                if !self.mouse.capture(window) {
                    self.cannot_capture = true;
                    self.viewer.tell("the mouse cannot be captured here: drag with the right button".to_owned(), now);
                }
            }
            Action::FullScreen => window.set_fullscreen(match window.fullscreen() {
                Some(_) => None,
                None => Some(Fullscreen::Borderless(None)),
            }),
            Action::PrintCamera => {
                let option = self.viewer.camera_option();
                hand_out(&self.options, egui, &option);
                self.viewer.tell(format!("copied {option}"), now);
            }
            Action::Report => {
                hand_out(&self.options, egui, &report::text(&self.state, &self.viewer.camera_option()));
                self.viewer.tell("copied what a bug report needs".to_owned(), now);
            }
            Action::Reload => self.reload(),
            Action::Picture | Action::PlainPicture if cfg!(target_arch = "wasm32") => {
                self.viewer.tell("a page saves no pictures: the browser can".to_owned(), now);
            }
            Action::Picture => self.picture = Some(true),
            Action::PlainPicture => self.picture = Some(false),
            other => self.viewer.act(other, now),
        }
    }
}

fn hud_shapes(egui: &mut egui_winit::State, window: &Window, draw: impl Fn(&egui::Context)) -> HudShapes {
    let input = egui.take_egui_input(window);
    let context = egui.egui_ctx().clone();
    context.begin_pass(input);
    draw(&context);
    let egui::FullOutput { shapes, textures_delta, pixels_per_point, .. } = context.end_pass();
    let primitives = context.tessellate(shapes, pixels_per_point);
    HudShapes { textures: textures_delta, primitives, pixels_per_point }
}

impl ApplicationHandler<Wake> for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.opened.is_none() {
            match self.open(event_loop) {
                Ok(opened) => self.opened = Some(opened),
                Err(failure) => self.fail(event_loop, failure),
            }
        }
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, event: Wake) {
        match event {
            Wake::Tree => {
                let now = self.now();
                if let Some(order) = self.viewer.take_tree(now)
                    && let Some(Opened { screen, .. }) = &mut self.opened
                    && let Err(error) = screen.set_order(order)
                {
                    self.fail(event_loop, WindowError::Gpu(error));
                }
            }
            Wake::Level => self.take_level(),
            Wake::Changed => {
                if self.loader.note_change() {
                    self.reload();
                }
            }
            Wake::DeviceLost => match self.open(event_loop) {
                Ok(opened) => self.opened = Some(opened),
                Err(failure) => self.fail(event_loop, failure),
            },
            Wake::Open(path) => self.drop_in(path),
            Wake::Look(pose) => self.viewer.look_from(pose),
            Wake::Released => {
                if let Some(Opened { window, .. }) = &self.opened {
                    self.mouse.release(window);
                }
            }
        }
        self.changed = true;
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        match event {
            WindowEvent::DroppedFile(path) => self.drop_in(path),
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::Resized(_) | WindowEvent::ScaleFactorChanged { .. } | WindowEvent::Occluded(_) => {
                self.changed = true;
            }
            WindowEvent::Focused(focused) => {
                self.state.focused = focused;
                if !focused {
                    self.input.clear();
                    if let Some(Opened { window, .. }) = &self.opened {
                        self.mouse.release(window);
                    }
                }
                self.changed = true;
            }
            // Keys that are down as the window gets the focus were meant for another window.
            WindowEvent::KeyboardInput { is_synthetic: true, event, .. } if event.state == ElementState::Pressed => {}
            WindowEvent::KeyboardInput { event, .. } => self.key(event_loop, &event),
            WindowEvent::MouseInput { state, button, .. } => self.button(event_loop, button, state),
            WindowEvent::MouseWheel { delta, .. } => {
                let notches = match delta {
                    MouseScrollDelta::LineDelta(_, lines) => lines,
                    MouseScrollDelta::PixelDelta(pixels) => pixels.y as f32 / PIXELS_PER_NOTCH,
                };
                let now = self.now();
                self.viewer.change_speed(notches, now);
                self.changed = true;
            }
            WindowEvent::CursorMoved { position, .. } => {
                let Some(Opened { window, .. }) = &self.opened else { return };
                let place = Vec2::new(position.x as f32, position.y as f32);
                if let Some(way) = self.mouse.moved_to(place, window, self.input.is_held(Action::DragLook)) {
                    self.look(way);
                }
            }
            WindowEvent::Touch(touch) => {
                let Some(Opened { window, .. }) = &self.opened else { return };
                let size = window.inner_size();
                let size = Vec2::new(size.width as f32, size.height as f32);
                let now = self.now();
                self.catch_up(now);
                if let Some(way) = self.thumbs.take(&touch, size, &mut self.input) {
                    self.look(way);
                }
                self.moved_until = self.viewer.is_moving(&self.input).then_some(now);
                self.changed = true;
            }
            WindowEvent::CursorLeft { .. } => self.mouse.left(),
            WindowEvent::RedrawRequested => {
                self.frame();
                self.write_state(event_loop);
            }
            _ => {}
        }
    }

    fn device_event(&mut self, _: &ActiveEventLoop, _: DeviceId, event: DeviceEvent) {
        if let DeviceEvent::MouseMotion { delta: (x, y) } = event
            && let Some(way) = self.mouse.moved_by(Vec2::new(x as f32, y as f32))
        {
            self.look(way);
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let now = self.now();
        if self.log.is_some() && now >= self.written + STATE_EVERY {
            self.write_state(event_loop);
        }
        self.changed |= self.viewer.expire_message(now);
        if self.loader.is_loading() && self.progress <= now {
            self.progress = now + PROGRESS_EVERY;
            self.changed = true;
        }
        if self.retry.is_some_and(|retry| retry <= now) {
            self.retry = None;
            self.changed = true;
        }
        if (self.changed || self.viewer.is_moving(&self.input))
            && self.retry.is_none()
            && let Some(Opened { window, .. }) = &self.opened
        {
            window.request_redraw();
        }
        // When there is something to do even if nothing happens.
        let progress = self.loader.is_loading().then_some(self.progress);
        let state = self.log.is_some().then_some(self.written + STATE_EVERY);
        let deadline = [self.viewer.message_until(), state, self.retry, progress].into_iter().flatten().min();
        event_loop.set_control_flow(match deadline {
            Some(deadline) => ControlFlow::WaitUntil(self.start + deadline),
            None => ControlFlow::Wait,
        });
    }
}
