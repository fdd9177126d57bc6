// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import java.util.Properties;

class EmbeddedEncryptionTest extends EncryptionContract {
    EmbeddedEncryptionTest() {
        super(Properties::new);
    }

    @Override
    protected boolean stays() {
        return false;
    }
}
