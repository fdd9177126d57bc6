// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A request for places of all keys or none; {@code granted} is false if it fails. Compared by identity. */
record PlaceRequest<K>(List<K> keys, CompletableFuture<Boolean> granted) {
    PlaceRequest(List<K> keys) {
        this(keys, new CompletableFuture<>());
    }
}
