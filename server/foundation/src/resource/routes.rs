//! The usual operations on a resource, mounted and described.

use std::marker::PhantomData;

use axum::extract::{FromRef, FromRequestParts, State};
use serde::de::DeserializeOwned;
use utoipa::ToSchema;
use utoipa::openapi::path::HttpMethod;
use utoipa_axum::router::OpenApiRouter;

use super::View;
use super::description::{Described, ResourceNames};
use super::trail::Trail;
use crate::audit_log::EntityType;
use crate::auth::{AdminReader, AdminWriter, Credentials, Shop};
use crate::database::{self, Db, Tx};
use crate::http::{
    Deleted, ErrorBody, Fields, HttpError, Json, Keyed, ListRequest, Listed, One, Page, Path,
    Selection,
};
use crate::routing::AnyHandler;

/// The admin operations on a resource under one path. `S` is the router's state, inferred from where they are mounted.
#[derive(Debug)]
pub struct AdminRoutes<V, S>(Mounted<V, S>);

#[derive(Debug)]
pub struct StoreRoutes<V, S>(Mounted<V, S>);

impl<V: View, S: Clone + Send + Sync + 'static> AdminRoutes<V, S>
where
    Db: FromRef<S>,
    Credentials: FromRef<S>,
    AdminReader: FromRequestParts<S, Rejection = HttpError>,
    AdminWriter: FromRequestParts<S, Rejection = HttpError>,
{
    /// Creates the routes without operations. `path` is that of the list, `tag` the group in the description.
    pub fn at(path: &'static str, tag: &'static str) -> Self {
        Self(Mounted::at(path, tag))
    }

    #[must_use]
    pub fn list(self) -> Self {
        Self(self.0.list::<AdminReader, V>("list"))
    }

    #[must_use]
    pub fn show(self) -> Self {
        Self(self.0.show::<AdminReader, V>("show"))
    }

    /// Records the changes by the operations added from here on in the audit log, with the resource before and after.
    #[must_use]
    pub fn audited(self, entity_type: EntityType) -> Self {
        Self(Mounted { trail: Trail::of(entity_type), ..self.0 })
    }

    /// Has the operations added from here on write by [`Credentials::change`], since they change who is let in.
    #[must_use]
    pub fn change_credentials(self) -> Self {
        Self(Mounted { writer: Writer::Credentials, ..self.0 })
    }

    /// Adds the operation that creates a resource from a request, on behalf of an actor.
    #[must_use]
    pub fn create<C, F>(self, create: F) -> Self
    where
        C: DeserializeOwned + ToSchema + Send + 'static,
        F: Fn(C, &Tx<'_>, &str) -> Result<V::Id, V::Error> + Clone + Send + Sync + 'static,
    {
        let trail = self.0.trail;
        let handler = async move |admin: AdminWriter,
                                  State(db): State<Db>,
                                  fields: Fields<V>,
                                  Json(request): Json<C>| {
            fields
                .write(db, move |tx, selection| {
                    let id = create(request, tx, admin.actor_id())?;
                    let view = V::show(tx, &id, selection)?;
                    trail.record(tx, (&id, "create", admin.actor_id()), (None, Some(&view)))?;
                    Ok::<_, V::Error>(view)
                })
                .await
        };
        let Mounted { path, tag, names, .. } = &self.0;
        let summary = format!("Create {}", names.a());
        let described = Described::new(HttpMethod::Post, (*path).to_owned())
            .named(names.on_one("create"), summary, tag)
            .query::<Fields<V>>()
            .body::<C>()
            .answer::<One<V>>("200", &self.0.the_one());
        Self(self.0.add(described, AnyHandler::new(handler)))
    }

    #[must_use]
    pub fn update<C, F>(self, update: F) -> Self
    where
        C: DeserializeOwned + ToSchema + Send + 'static,
        F: Fn(C, &Tx<'_>, &V::Id) -> Result<(), V::Error> + Clone + Send + Sync + 'static,
    {
        let names = &self.0.names;
        let (name, summary) = (names.on_one("update"), format!("Change {}", names.a()));
        self.update_part("", &name, &summary, update)
    }

    /// Adds the operation that changes a resource by a request, on behalf of an actor.
    #[must_use]
    pub fn update_by<C, F>(self, update: F) -> Self
    where
        C: DeserializeOwned + ToSchema + Send + 'static,
        F: Fn(C, &Tx<'_>, &V::Id, &str) -> Result<(), V::Error> + Clone + Send + Sync + 'static,
    {
        let names = &self.0.names;
        let (name, summary) = (names.on_one("update"), format!("Change {}", names.a()));
        self.update_part_by("", &name, &summary, update)
    }

    /// Adds the operation that changes a part of a resource, at a path below its own, such as `/sales-channels`.
    #[must_use]
    pub fn update_part<C, F>(self, path: &str, name: &str, summary: &str, update: F) -> Self
    where
        C: DeserializeOwned + ToSchema + Send + 'static,
        F: Fn(C, &Tx<'_>, &V::Id) -> Result<(), V::Error> + Clone + Send + Sync + 'static,
    {
        let update = move |request: C, tx: &Tx<'_>, id: &V::Id, _by: &str| update(request, tx, id);
        self.update_part_by(path, name, summary, update)
    }

    /// Does the same as [`AdminRoutes::update_part`], on behalf of an actor.
    #[must_use]
    pub fn update_part_by<C, F>(self, path: &str, name: &str, summary: &str, update: F) -> Self
    where
        C: DeserializeOwned + ToSchema + Send + 'static,
        F: Fn(C, &Tx<'_>, &V::Id, &str) -> Result<(), V::Error> + Clone + Send + Sync + 'static,
    {
        let (trail, writer) = (self.0.trail, self.0.writer);
        let handler = async move |admin: AdminWriter,
                                  State(credentials): State<Credentials>,
                                  Path(id): Path<V::Id>,
                                  fields: Fields<V>,
                                  Json(request): Json<C>| {
            let selection = fields.selection.clone();
            let changed = writer.write(&credentials, move |tx| {
                let before = trail.before::<V>(tx, &id, &selection)?;
                update(request, tx, &id, admin.actor_id())?;
                let view = V::show(tx, &id, &selection)?;
                trail.record(tx, (&id, "update", admin.actor_id()), (before, Some(&view)))?;
                Ok::<_, V::Error>(view)
            });
            fields.answer(&changed.await.map_err(Into::<HttpError>::into)?)
        };
        let described = Described::new(HttpMethod::Post, self.0.path_of_one() + path)
            .named(name.to_owned(), summary.to_owned(), self.0.tag)
            .id::<V::Id>(self.0.the_one())
            .query::<Fields<V>>()
            .body::<C>()
            .answer::<One<V>>("200", &self.0.the_one());
        Self(self.0.add(described, AnyHandler::new(handler)))
    }

    #[must_use]
    pub fn delete<F>(self, remove: F) -> Self
    where
        F: Fn(&Tx<'_>, &V::Id) -> Result<(), V::Error> + Clone + Send + Sync + 'static,
    {
        self.delete_by(move |tx: &Tx<'_>, id: &V::Id, _by: &str| remove(tx, id))
    }

    #[must_use]
    pub fn delete_by<F>(self, remove: F) -> Self
    where
        F: Fn(&Tx<'_>, &V::Id, &str) -> Result<(), V::Error> + Clone + Send + Sync + 'static,
    {
        let (trail, writer) = (self.0.trail, self.0.writer);
        let handler = async move |admin: AdminWriter,
                                  State(credentials): State<Credentials>,
                                  Path(id): Path<V::Id>| {
            let deleted = id.clone();
            let done = writer.write(&credentials, move |tx| {
                let before = trail.before::<V>(tx, &id, &Selection::of_defaults(V::SHAPE))?;
                remove(tx, &id, admin.actor_id())?;
                let entry = (&id, "delete", admin.actor_id());
                Ok::<_, V::Error>(trail.record::<V>(tx, entry, (before, None))?)
            });
            done.await.map_err(Into::<HttpError>::into)?;
            Ok::<_, HttpError>(Json(Deleted::<V>::new(deleted)))
        };
        let Mounted { tag, names, .. } = &self.0;
        let summary = format!("Delete {}", names.a());
        let described = Described::new(HttpMethod::Delete, self.0.path_of_one())
            .named(names.on_one("delete"), summary, tag)
            .id::<V::Id>(self.0.the_one())
            .answer::<Deleted<V>>("200", "Deleted");
        Self(self.0.add(described, AnyHandler::new(handler)))
    }

    #[must_use]
    pub fn note(self, text: &str) -> Self {
        Self(self.0.describe(|described| described.note(text)))
    }

    /// Adds a 422 response to the last operation, for a value that is already taken.
    #[must_use]
    pub fn taken(self, when: &str) -> Self {
        Self(self.0.describe(|described| described.answer::<ErrorBody>("422", when)))
    }

    /// Returns the router of all operations.
    pub fn router(self) -> OpenApiRouter<S> {
        self.0.router()
    }
}

impl<V: View, S: Clone + Send + Sync + 'static> StoreRoutes<V, S>
where
    Db: FromRef<S>,
    Shop: FromRequestParts<S, Rejection = HttpError>,
{
    /// Creates the routes without operations. `path` is that of the list, `tag` the group in the description.
    pub fn at(path: &'static str, tag: &'static str) -> Self {
        Self(Mounted::at(path, tag))
    }

    #[must_use]
    pub fn list(self) -> Self {
        Self(self.0.list::<Shop, V::Store>("list_store"))
    }

    #[must_use]
    pub fn show(self) -> Self {
        Self(self.0.show::<Shop, V::Store>("show_store"))
    }

    /// Returns the router of the operations.
    pub fn router(self) -> OpenApiRouter<S> {
        self.0.router()
    }
}

/// What changes of a resource are written by.
#[derive(Debug, Clone, Copy)]
enum Writer {
    Database,
    Credentials,
}

impl Writer {
    async fn write<T, E>(
        self,
        credentials: &Credentials,
        work: impl FnOnce(&Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<database::Error> + Send + 'static,
    {
        match self {
            Self::Database => credentials.db.write(work).await,
            Self::Credentials => credentials.change(work).await,
        }
    }
}

/// The operations of either API surface.
struct Mounted<V, S> {
    path: &'static str,
    tag: &'static str,
    names: ResourceNames,
    router: OpenApiRouter<S>,
    /// Where its changes are recorded.
    trail: Trail,
    writer: Writer,
    /// The last operation, whose description may still be changed.
    last: Option<(Described, AnyHandler<S>)>,
    view: PhantomData<fn() -> V>,
}

impl<V, S> std::fmt::Debug for Mounted<V, S> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Mounted").field("path", &self.path).finish_non_exhaustive()
    }
}

impl<V: View, S: Clone + Send + Sync + 'static> Mounted<V, S>
where
    Db: FromRef<S>,
{
    fn at(path: &'static str, tag: &'static str) -> Self {
        let router = OpenApiRouter::default();
        let (names, trail) = (ResourceNames::new::<V>(V::KEY), Trail::default());
        let writer = Writer::Database;
        Self { path, tag, names, router, trail, writer, last: None, view: PhantomData }
    }

    fn path_of_one(&self) -> String {
        format!("{}/{{id}}", self.path)
    }

    fn the_one(&self) -> String {
        format!("The {}", self.names.one)
    }

    /// Adds a list for callers that `Guard` admits, with the fields of `Surface`.
    fn list<Guard, Surface>(self, verb: &str) -> Self
    where
        Guard: FromRequestParts<S, Rejection = HttpError> + Send + 'static,
        Surface: Listed + 'static,
    {
        let handler = async |_guard: Guard, State(db): State<Db>, list: ListRequest<Surface>| {
            list.read(db, V::page).await
        };
        let summary = format!("List {}", self.names.many);
        let described = Described::new(HttpMethod::Get, self.path.to_owned())
            .named(self.names.on_many(verb), summary, self.tag)
            .query::<ListRequest<Surface>>()
            .answer::<Page<V>>("200", "A page");
        self.add(described, AnyHandler::new(handler))
    }

    /// Adds the show operation for callers that `Guard` admits, with the fields of `Surface`.
    fn show<Guard, Surface>(self, verb: &str) -> Self
    where
        Guard: FromRequestParts<S, Rejection = HttpError> + Send + 'static,
        Surface: Keyed + 'static,
    {
        let handler = async |_guard: Guard,
                             State(db): State<Db>,
                             Path(id): Path<V::Id>,
                             fields: Fields<Surface>| {
            fields.read(db, move |tx, selection| V::show(tx, &id, selection)).await
        };
        let summary = format!("Show {}", self.names.a());
        let described = Described::new(HttpMethod::Get, self.path_of_one())
            .named(self.names.on_one(verb), summary, self.tag)
            .id::<V::Id>(self.the_one())
            .query::<Fields<Surface>>()
            .answer::<One<V>>("200", &self.the_one());
        self.add(described, AnyHandler::new(handler))
    }

    fn add(self, described: Described, handler: AnyHandler<S>) -> Self {
        Self { last: Some((described, handler)), ..self.finish_last() }
    }

    fn describe(self, change: impl FnOnce(Described) -> Described) -> Self {
        let last = self.last.map(|(described, handler)| (change(described), handler));
        Self { last, ..self }
    }

    fn finish_last(self) -> Self {
        let Self { router, last, .. } = self;
        let router = match last {
            Some((described, handler)) => router.routes(described.build(handler)),
            None => router,
        };
        Self { router, last: None, ..self }
    }

    fn router(self) -> OpenApiRouter<S> {
        self.finish_last().router
    }
}
