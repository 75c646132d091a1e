//! Whoever is logged in to the tools of developers: `az` first, then `azd`, and from then on the one that answered.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use azure_core::credentials::{AccessToken, TokenCredential};
use azure_identity::{
    AzureCliCredential, AzureCliCredentialOptions, AzureDeveloperCliCredential,
    AzureDeveloperCliCredentialOptions, Executor,
};

use super::child::Programs;
use super::words::{self, Tool};
use crate::source::answers::Trouble;

/// What has answered, or none yet.
const NONE: usize = usize::MAX;

pub struct Tools {
    each: [(Tool, Arc<dyn TokenCredential>); 2],
    answered: AtomicUsize,
    /// Which one is being asked, for the sentence when time is over.
    current: AtomicUsize,
}

impl fmt::Debug for Tools {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        text.write_str("Tools")
    }
}

impl Tools {
    pub fn new(tenant: Option<&str>) -> azure_core::Result<Self> {
        let executor: Arc<dyn Executor> = Arc::new(Programs);
        let tenant_id = tenant.map(str::to_owned);
        let az = AzureCliCredential::new(Some(AzureCliCredentialOptions {
            executor: Some(Arc::clone(&executor)),
            tenant_id: tenant_id.clone(),
            ..Default::default()
        }))?;
        let azd = AzureDeveloperCliCredential::new(Some(AzureDeveloperCliCredentialOptions {
            executor: Some(executor),
            tenant_id,
        }))?;
        Ok(Self {
            each: [(Tool::Az, az), (Tool::Azd, azd)],
            answered: AtomicUsize::new(NONE),
            current: AtomicUsize::new(0),
        })
    }

    /// The tool that answered, else the one that is asked.
    pub fn by(&self) -> &'static str {
        let answered = self.answered.load(Ordering::Relaxed);
        let index = if answered == NONE { self.current.load(Ordering::Relaxed) } else { answered };
        self.each.get(index).map_or("the developer tools", |(tool, _)| tool.name())
    }

    pub async fn token(&self, scope: &str) -> Result<AccessToken, Trouble> {
        let answered = self.answered.load(Ordering::Relaxed);
        let mut why = Vec::new();
        for (index, (tool, credential)) in self.each.iter().enumerate() {
            if answered != NONE && answered != index {
                continue;
            }
            self.current.store(index, Ordering::Relaxed);
            match credential.get_token(&[scope], None).await {
                Ok(token) => {
                    self.answered.store(index, Ordering::Relaxed);
                    return Ok(token);
                }
                Err(e) => why.push((*tool, words::why(&e))),
            }
        }
        Err(words::no_tool(&why))
    }
}
