// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import java.util.Properties;

class EmbeddedHashedKeysTest extends HashedKeysContract {
    EmbeddedHashedKeysTest() {
        super(Properties::new);
    }
}
