//! One value in IndexedDB, where alone handles of files can be kept.
//!
//! The database is open as long as a request takes, so that it can be deleted at any other time. Reading does not
//! create it.

use js_sys::{Array, Function, Object, Promise, Reflect};
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{IdbDatabase, IdbFactory, IdbOpenDbRequest, IdbRequest, IdbTransaction};

const DATABASE: &str = "evalglass";

/// Name of the store, and of what is in it.
const STORE: &str = "recent";

/// The browser's databases; `None` where it forbids them.
pub(super) fn factory() -> Option<IdbFactory> {
    web_sys::window()?.indexed_db().ok().flatten()
}

/// What was written last.
pub(super) async fn read() -> Result<Option<Array>, JsValue> {
    let Some(database) = open(false).await? else { return Ok(None) };
    let read = async {
        let transaction = transaction(&database, "readonly")?;
        let store = transaction.object_store(STORE)?;
        outcome(&store.get(&STORE.into())?).await
    };
    let read = read.await;
    database.close();
    Ok(read?.dyn_into().ok())
}

/// Writes `value`; an empty one is forgotten, with the database.
pub(super) async fn write(value: &Array) -> Result<(), JsValue> {
    if value.length() == 0 {
        let Some(factory) = factory() else { return Ok(()) };
        return outcome(factory.delete_database(DATABASE)?.as_ref()).await.map(drop);
    }
    let Some(database) = open(true).await? else { return Ok(()) };
    let write = async {
        let transaction = transaction(&database, "readwrite")?;
        transaction.object_store(STORE)?.put_with_key(value, &STORE.into())?;
        // To its end: an entry that was only about to be written is gone with the page.
        complete(&transaction).await
    };
    let written = write.await;
    database.close();
    written
}

async fn open(creates: bool) -> Result<Option<IdbDatabase>, JsValue> {
    let Some(factory) = factory() else { return Ok(None) };
    let opening: IdbOpenDbRequest = factory.open_with_u32(DATABASE, 1)?;
    let is_there = Rc::new(Cell::new(true));
    let (request, found) = (opening.clone(), Rc::clone(&is_there));
    let upgrade = Closure::once(move || -> Result<(), JsValue> {
        found.set(creates);
        match request.transaction() {
            Some(transaction) if !creates => transaction.abort(),
            _ => {
                let database: IdbDatabase = request.result()?.unchecked_into();
                database.create_object_store(STORE).map(drop)
            }
        }
    });
    opening.set_onupgradeneeded(Some(upgrade.as_ref().unchecked_ref()));
    match outcome(&opening).await {
        Ok(database) => Ok(Some(database.unchecked_into())),
        Err(_) if !is_there.get() => Ok(None),
        Err(err) => Err(err),
    }
}

/// A strict one, which `web_sys` cannot ask for.
fn transaction(database: &IdbDatabase, mode: &str) -> Result<IdbTransaction, JsValue> {
    let options = Object::new();
    Reflect::set(&options, &"durability".into(), &"strict".into())?;
    let begin: Function = Reflect::get(database, &"transaction".into())?.dyn_into()?;
    Ok(begin.call3(database, &STORE.into(), &mode.into(), &options)?.unchecked_into())
}

/// What `request` comes to.
async fn outcome(request: &IdbRequest) -> Result<JsValue, JsValue> {
    let promise = Promise::new(&mut |done, failed| {
        request.set_onsuccess(Some(&done));
        request.set_onerror(Some(&failed));
    });
    JsFuture::from(promise).await?;
    request.result()
}

async fn complete(transaction: &IdbTransaction) -> Result<(), JsValue> {
    let promise = Promise::new(&mut |done, failed| {
        transaction.set_oncomplete(Some(&done));
        transaction.set_onabort(Some(&failed));
    });
    JsFuture::from(promise).await.map(drop)
}
