from whit.curves.composition.together import composed as composed
from whit.curves.composition.together import composed_faces as composed_faces
