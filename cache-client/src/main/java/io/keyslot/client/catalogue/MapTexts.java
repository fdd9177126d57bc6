// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.catalogue;

import io.keyslot.client.map.MapDocument;
import io.keyslot.client.map.PartitionMap;
import java.nio.charset.StandardCharsets;

/** Maps as the text that catalogues keep. Pure. */
final class MapTexts {
    private MapTexts() {}

    static String write(PartitionMap map) {
        return new String(MapDocument.of(map).bytes(), StandardCharsets.UTF_8);
    }

    /** Reads what {@link #write} gives; throws an {@link IllegalArgumentException} that says what is wrong otherwise. */
    static PartitionMap read(String text) {
        return document(text).map();
    }

    /** As {@link #read}, for who is to change the map: refuses one of a later form, of which something would be lost. */
    static PartitionMap changeable(String text) {
        MapDocument document = document(text);
        if (!document.isChangeable()) {
            throw new IllegalArgumentException(
                    "map %s was written by a later version of Keyslot (form %d); this one follows it, and does not change it"
                            .formatted(document.map().stamp(), document.format()));
        }
        return document.map();
    }

    private static MapDocument document(String text) {
        return MapDocument.read(text.getBytes(StandardCharsets.UTF_8));
    }
}
