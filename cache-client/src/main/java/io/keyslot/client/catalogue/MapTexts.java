// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.catalogue;

import io.keyslot.client.map.MapDocument;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.register.KnownTexts;
import java.nio.charset.StandardCharsets;

final class MapTexts {
    private static final KnownTexts<MapDocument> KNOWN = new KnownTexts<>();

    private MapTexts() {}

    static String write(PartitionMap map) {
        String text = MapDocument.textOf(map);
        KNOWN.keep(text, MapDocument.of(map));
        return text;
    }

    static PartitionMap read(String text) {
        return known(text).map();
    }

    /** Like {@link #read}, for changing the map: rejects later formats, of which a change would lose parts. */
    static PartitionMap changeable(String text) {
        MapDocument document = known(text);
        if (document.format() > MapDocument.FORMAT) {
            throw new IllegalArgumentException(
                    "map %s was written by a later version of Keyslot (form %d); this one follows it, and does not change it"
                            .formatted(document.map().stamp(), document.format()));
        }
        return document.map();
    }

    private static MapDocument known(String text) {
        return KNOWN.read(text, unknown -> MapDocument.read(unknown.getBytes(StandardCharsets.UTF_8)));
    }
}
