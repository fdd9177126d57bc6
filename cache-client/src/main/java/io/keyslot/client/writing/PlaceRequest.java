// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A call that needs places for its keys, all of them or none. Equal to itself only.
 *
 * @param granted becomes true when the call has them, false when it will not get them
 */
record PlaceRequest<K>(List<K> keys, CompletableFuture<Boolean> granted) {
    PlaceRequest(List<K> keys) {
        this(keys, new CompletableFuture<>());
    }
}
