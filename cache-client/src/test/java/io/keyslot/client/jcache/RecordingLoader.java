// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.cache.integration.CacheLoader;

/** Loads a text that says for which key it is, and tells the test. */
record RecordingLoader(List<String> loaded) implements CacheLoader<String, String> {
    @Override
    public String load(String key) {
        loaded.add(key);
        return "loaded " + key;
    }

    @Override
    public Map<String, String> loadAll(Iterable<? extends String> keys) {
        Map<String, String> all = new HashMap<>();
        keys.forEach(key -> all.put(key, load(key)));
        return all;
    }
}
