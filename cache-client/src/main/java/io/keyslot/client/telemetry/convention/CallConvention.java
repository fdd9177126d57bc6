// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry.convention;

import io.keyslot.cache.MissCause;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The naming of observed calls: {@code keyslot.call}, with the low-cardinality keys {@code cache},
 * {@code cache.manager}, {@code operation}, {@code outcome} and {@code cause}. Keys of entries are not used, nor
 * anything of high cardinality.
 *
 * <p>To change it, extend this class, implement {@code GlobalObservationConvention<CallContext>}, and add the
 * convention to the configuration of the registry; with Spring Boot, define it as a bean.
 */
@SuppressWarnings("exports") // users of this class require Micrometer
public class CallConvention implements ObservationConvention<CallContext> {
    private static final Map<CallOutcome, KeyValue> OUTCOMES = values("outcome", CallOutcome.class);
    private static final Map<MissCause, KeyValue> CAUSES = values("cause", MissCause.class);
    private static final KeyValue UNKNOWN = KeyValue.of("outcome", "unknown");
    private static final KeyValue NO_CAUSE = KeyValue.of("cause", "none");
    private static final KeyValue SEVERAL_CAUSES = KeyValue.of("cause", "several");

    /** The maximum number of cached key values. */
    private static final int MOST_REMEMBERED = 4_096;

    /** Cached because each call needs its key values twice, and sorting them takes longer than the look-up. */
    private final ConcurrentMap<Form, KeyValues> remembered = new ConcurrentHashMap<>();

    /** Everything on which key values depend. */
    private record Form(String manager, String cache, String operation, CallOutcome outcome, KeyValue cause) {
        KeyValues keyValues() {
            return KeyValues.of(
                    KeyValue.of("cache", cache),
                    KeyValue.of("cache.manager", manager),
                    cause,
                    KeyValue.of("operation", operation),
                    OUTCOMES.getOrDefault(outcome, UNKNOWN));
        }
    }

    /** Creates a convention, also for subclasses. */
    public CallConvention() {}

    private static <E extends Enum<E>> Map<E, KeyValue> values(String key, Class<E> type) {
        Map<E, KeyValue> values = new EnumMap<>(type);
        Arrays.stream(type.getEnumConstants())
                .forEach(each -> values.put(each, KeyValue.of(key, each.name().toLowerCase(Locale.ROOT))));
        return values;
    }

    @Override
    public String getName() {
        return "keyslot.call";
    }

    @Override
    public String getContextualName(CallContext context) {
        return context.operation() + " " + context.cache();
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof CallContext;
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(CallContext context) {
        Form form =
                new Form(context.manager(), context.cache(), context.operation(), context.outcome(), causeOf(context));
        KeyValues known = remembered.get(form);
        return known == null ? remember(form) : known;
    }

    private KeyValues remember(Form form) {
        KeyValues made = form.keyValues();
        if (remembered.size() < MOST_REMEMBERED) {
            remembered.put(form, made);
        }
        return made;
    }

    private static KeyValue causeOf(CallContext context) {
        Set<MissCause> causes = context.causes();
        if (causes.isEmpty()) {
            return NO_CAUSE;
        }
        return causes.size() == 1 ? CAUSES.getOrDefault(causes.iterator().next(), SEVERAL_CAUSES) : SEVERAL_CAUSES;
    }
}
