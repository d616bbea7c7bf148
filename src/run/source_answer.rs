//! What a question gets whose answer the store cannot give.

use crate::api::SourceError;
use crate::store::StoreError;

/// The answer where something cannot be read. A population that is closed is
/// one whose run has ended: another process may have it open.
pub(super) fn failed(error: impl std::error::Error + 'static) -> SourceError {
    let any: &(dyn std::error::Error + 'static) = &error;
    match any.downcast_ref() {
        Some(StoreError::Closed) => SourceError::Ended(error.to_string()),
        _ => SourceError::Failed(error.to_string()),
    }
}
